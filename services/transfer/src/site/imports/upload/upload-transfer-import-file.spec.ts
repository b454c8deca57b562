import 'reflect-metadata';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { QuireError } from '@quire/errors';
import { ObjectStoreFull, ObjectStoreUnavailable, type ObjectStore } from '@quire/object-store';
import { packageLimits, sha256Of } from '@quire/site-package';
import { buildPackage, recordOf, useFixture, type SitePackage } from '@quire/testing';
import type { TransferDeps } from '../../../transfer-deps.js';
import { bodyOf, errorOf, openSiteImports } from '../imports.fixture.js';
import { getTransferImport } from '../imports.operations.js';
import { listTransferImportMissingFiles } from './list-transfer-import-missing-files.js';
import { uploadTransferImportFile } from './upload-transfer-import-file.js';

let number = 0;
const site = useFixture(() => openSiteImports(`spec-of-uploads-${number++}`), { lifetime: 'test' });

const image = Buffer.from('bytes of an image');
const empty = Buffer.alloc(0);
const content = buildPackage({
  records: { terms: [recordOf('terms')], menus: ['a', 'b'].map((id) => recordOf('menus', { id })) },
  media: [image, empty],
  recordsPerFile: 1,
  filesPerIndexFile: 3,
});
const [firstIndex = ''] = content.files.keys();
const menus = 'records/menus/000002.ndjson';
const bytesOf = (path: string) => content.files.get(path) ?? Buffer.from('no file of the package');
const upload = (id: string, path: string, bytes = bytesOf(path), given = {}) =>
  site.upload(id, path, bytes, given);
const isIndex = (path: string) => path.startsWith('index/');
const missing = async (id: string) =>
  (await listTransferImportMissingFiles(site.ctx, { id, limit: 100 })).items.map(({ path }) => path);
/** An import whose index is received. */
async function startWithIndex(given: SitePackage = content): Promise<string> {
  const id = await site.start(given);
  await site.uploadAll(id, given, isIndex);
  return id;
}
const setState = (id: string, state: string) =>
  site.ctx.db.query('UPDATE transfer_operations SET state = $2 WHERE id = $1', [id, state]);

describe('uploadTransferImportFile', () => {
  it('receives a package file by file, with the number of those that remain', async () => {
    const id = await site.start(content);
    const remaining: number[] = [];
    for (const [path, bytes] of content.files) {
      const uploaded = await site.upload(id, path, bytes);
      expect(uploaded).toMatchObject({ path, bytes: bytes.length, alreadyVerified: false });
      remaining.push(uploaded.remaining);
    }
    expect(remaining).toEqual([4, 5, 4, 3, 2, 1, 0]);
    expect(await missing(id)).toEqual([]);
    expect((await getTransferImport(site.ctx, id)).files).toEqual({ declared: 7, verified: 7 });
    expect(await site.objects(id)).toEqual(['manifest.json', ...content.files.keys()].sort());
  });

  it('takes index files in any order, and lists missing files in that of the archive', async () => {
    const id = await site.start(content);
    const [first, second] = [...content.files.keys()].filter(isIndex) as [string, string];
    await upload(id, second);
    await upload(id, first);
    expect(await missing(id)).toEqual([...content.files.keys()].filter((path) => !isIndex(path)));
    const page = await listTransferImportMissingFiles(site.ctx, { id, limit: 2 });
    const { nextCursor: cursor } = page;
    const next = await listTransferImportMissingFiles(site.ctx, { id, limit: 100, cursor });
    expect([...page.items, ...next.items].map(({ path }) => path)).toEqual(await missing(id));
  });

  it('does not store a stored file again', async () => {
    const id = await startWithIndex();
    await upload(id, menus);
    site.storeErrors.set('put', new Error('not to be called'));
    expect(await upload(id, menus)).toMatchObject({ alreadyVerified: true, remaining: 4 });
    expect(await upload(id, firstIndex)).toMatchObject({ alreadyVerified: true, remaining: 4 });
  });

  it.each([firstIndex, `media/${sha256Of(image)}`])(
    'stores %s once for uploads at the same time',
    async (path) => {
      const id = isIndex(path) ? await site.start(content) : await startWithIndex();
      const uploads = await Promise.all([1, 2, 3].map(() => upload(id, path)));
      expect(uploads.filter(({ alreadyVerified }) => !alreadyVerified)).toHaveLength(1);
      expect(new Set(uploads.map(({ remaining }) => remaining)).size).toBe(1);
      expect((await site.objects(id)).filter((object) => object === path)).toHaveLength(1);
      expect((await getTransferImport(site.ctx, id)).files.verified).toBe(isIndex(path) ? 1 : 3);
    },
  );

  it('keeps a stored file when another upload of it has other bytes', async () => {
    const id = await startWithIndex();
    const changed = Buffer.alloc(image.length, 'x');
    const path = `media/${sha256Of(image)}`;
    const results = await Promise.allSettled([upload(id, path), upload(id, path, changed)]);
    expect(results[0]?.status).toBe('fulfilled');
    const stored = await site.deps.store.get(`${site.ctx.principal.tenant.id}/transfers/${id}/${path}`);
    expect(Buffer.concat(await stored!.bytes.toArray())).toEqual(image);
  });

  it.each([
    'manifest.json',
    'index/1.ndjson',
    'records/users/000001.ndjson',
    'records/../menus/000001.ndjson',
    `media/${sha256Of(image).toUpperCase()}`,
    '',
    `/${menus}`,
  ])('rejects the path %j', async (path) => {
    const id = await startWithIndex();
    expect((await errorOf(upload(id, path))).code).toBe('TRANSFER_PATH_INVALID');
  });

  it('rejects files that the received index does not declare', async () => {
    const id = await site.start(content);
    for (const path of [menus, 'index/000003.ndjson', `media/${'0'.repeat(64)}`])
      expect((await errorOf(upload(id, path))).code).toBe('TRANSFER_FILE_NOT_DECLARED');
  });

  it('rejects an unknown or another size before it reads the body', async () => {
    const id = await startWithIndex();
    const unread = new Readable({ read: () => expect('read').toBe('not read') });
    const rejection = async (contentLength: number | undefined) => {
      const body = bodyOf(unread, { contentLength });
      return (await errorOf(uploadTransferImportFile(site.ctx, site.deps, { id, path: menus, body }))).code;
    };
    expect(await rejection(undefined)).toBe('LENGTH_REQUIRED');
    expect(await rejection(bytesOf(menus).length + 1)).toBe('TRANSFER_FILE_SIZE_MISMATCH');
    expect(await rejection(0)).toBe('TRANSFER_FILE_SIZE_MISMATCH');
  });

  it.each([
    ['other bytes', bytesOf(menus).map((byte) => byte ^ 1), 'TRANSFER_FILE_DIGEST_MISMATCH'],
    ['fewer bytes', bytesOf(menus).subarray(1), 'TRANSFER_FILE_DIGEST_MISMATCH'],
    ['more bytes', Buffer.concat([bytesOf(menus), image]), 'TRANSFER_FILE_SIZE_MISMATCH'],
  ])('stores nothing of %s than were declared', async (_, bytes, code) => {
    const id = await startWithIndex();
    const before = await site.objects(id);
    const given = { contentLength: bytesOf(menus).length };
    expect((await errorOf(upload(id, menus, Buffer.from(bytes), given))).code).toBe(code);
    expect(await site.objects(id)).toEqual(before);
    expect(await upload(id, menus)).toMatchObject({ alreadyVerified: false });
  });

  it('stores nothing after a broken connection', async () => {
    const id = await startWithIndex();
    const before = await site.objects(id);
    const source = new Readable({ read: () => undefined });
    const connection = new AbortController();
    const given = { contentLength: bytesOf(menus).length, signal: connection.signal };
    const body = bodyOf(source, given);
    const uploaded = errorOf(uploadTransferImportFile(site.ctx, site.deps, { id, path: menus, body }));
    source.push(bytesOf(menus).subarray(0, 5));
    connection.abort(new QuireError('INVALID_REQUEST', 'The client disconnected'));
    source.destroy();
    expect((await uploaded).code).toBe('INVALID_REQUEST');
    expect(await site.objects(id)).toEqual(before);
    expect(await missing(id)).toContain(menus);
  });

  it.each<[string, Error]>([
    ['SERVICE_UNAVAILABLE', new ObjectStoreUnavailable(new Error('ECONNREFUSED'))],
    ['STORAGE_QUOTA_EXCEEDED', new ObjectStoreFull(new Error('ENOSPC'))],
  ])('rejects a file that cannot be stored with %s', async (code, error) => {
    const id = await startWithIndex();
    site.storeErrors.set('put', error);
    expect((await errorOf(upload(id, menus))).code).toBe(code);
    site.storeErrors.clear();
    expect(await upload(id, menus)).toMatchObject({ alreadyVerified: false });
  });

  it('is SERVICE_UNAVAILABLE when the store breaks off while an index file is read', async () => {
    const id = await site.start(content);
    const bytes = new Readable({
      read() {
        this.destroy(new ObjectStoreUnavailable(new Error('ECONNRESET')));
      },
    });
    const store = Object.create(site.deps.store) as ObjectStore;
    store.get = () => Promise.resolve({ size: 1, modifiedAt: new Date(), bytes });
    const deps = Object.assign(Object.create(site.deps) as TransferDeps, { store });
    const body = bodyOf(bytesOf(firstIndex));
    const uploaded = uploadTransferImportFile(site.ctx, deps, { id, path: firstIndex, body });
    expect((await errorOf(uploaded)).code).toBe('SERVICE_UNAVAILABLE');
    expect(await upload(id, firstIndex)).toMatchObject({ alreadyVerified: false });
  });

  it.each(['analyzing', 'planned', 'running', 'complete', 'failed', 'cancelled'])(
    'rejects files of an import that is %s',
    async (state) => {
      const id = await startWithIndex();
      await setState(id, state);
      const details = { operationId: id, state };
      expect(await errorOf(upload(id, menus))).toEqual({ code: 'TRANSFER_INVALID_STATE', details });
    },
  );

  it('deletes a file whose import ends during its upload', async () => {
    const id = await startWithIndex();
    const source = new Readable({ read: () => undefined });
    const body = bodyOf(source, { contentLength: bytesOf(menus).length });
    const put = site.deps.store.put.bind(site.deps.store);
    site.deps.store.put = async (...given) => {
      const stored = await put(...given);
      await setState(id, 'cancelled');
      return stored;
    };
    const uploaded = errorOf(uploadTransferImportFile(site.ctx, site.deps, { id, path: menus, body }));
    source.push(bytesOf(menus));
    source.push(null);
    expect((await uploaded).code).toBe('TRANSFER_INVALID_STATE');
    expect(await site.objects(id)).not.toContain(menus);
  });

  it('rejects unknown imports, and those whose time has passed', async () => {
    expect((await errorOf(upload('unknown', menus))).code).toBe('TRANSFER_OPERATION_NOT_FOUND');
    const id = await startWithIndex();
    await site.ctx.db.query('UPDATE transfer_operations SET expires_at = now() WHERE id = $1', [id]);
    expect((await errorOf(upload(id, menus))).code).toBe('TRANSFER_EXPIRED');
  });
});

describe('the upload of an index file', () => {
  /** Uploads the index of a package with other lines. @returns the error, and the known files afterwards */
  async function rejectionOf(given: Parameters<typeof buildPackage>[0]) {
    const hostile = buildPackage({ records: { menus: [recordOf('menus')] }, ...given });
    const id = await site.start(hostile);
    const error = await errorOf(site.uploadAll(id, hostile, isIndex));
    return { ...error, state: (await site.operation(id)).state, missing: await missing(id) };
  }

  it('rejects a path twice, in one file or in several', async () => {
    const twice = (lines: readonly object[]) => [...lines, ...lines];
    expect(await rejectionOf({ changeIndex: twice })).toMatchObject({
      code: 'TRANSFER_MANIFEST_INVALID',
      details: { path: 'index/000001.ndjson', line: 2 },
      state: 'uploading',
      missing: ['index/000001.ndjson'],
    });
    await site.ctx.db.query("UPDATE transfer_operations SET state = 'cancelled'");
    expect(await rejectionOf({ changeIndex: twice, filesPerIndexFile: 1 })).toMatchObject({
      code: 'TRANSFER_MANIFEST_INVALID',
      details: { path: 'index/000002.ndjson', line: 1 },
      missing: ['index/000002.ndjson', 'records/menus/000001.ndjson'],
    });
  });

  it('rejects lines that are invalid, and records none of the others', async () => {
    const changeIndex = (lines: readonly object[]) => [...lines, { path: 'index/000002.ndjson' }];
    expect(await rejectionOf({ changeIndex })).toMatchObject({
      code: 'TRANSFER_MANIFEST_INVALID',
      details: { path: 'index/000001.ndjson', line: 2 },
      missing: ['index/000001.ndjson'],
    });
  });

  it('rejects more files than a package may have', async () => {
    const id = await site.start(content);
    await site.ctx.db.query('UPDATE transfer_operations SET declared_files = $2 WHERE id = $1', [
      id,
      packageLimits.totalFiles + packageLimits.indexChunks,
    ]);
    expect(await errorOf(upload(id, firstIndex))).toMatchObject({
      code: 'TRANSFER_LIMIT_EXCEEDED',
      details: { limit: 'totalFiles' },
    });
    expect(await missing(id)).toContain(firstIndex);
  });

  it('declares ten thousand tiny files', async () => {
    const media = Array.from({ length: 10_000 }, (_, index) => Buffer.from(String(index)));
    const large = buildPackage({ media });
    const id = await startWithIndex(large);
    expect((await getTransferImport(site.ctx, id)).files).toEqual({ declared: 10_001, verified: 1 });
    const [first, last] = [[...large.files.keys()][1], [...large.files.keys()].at(-1)] as [string, string];
    expect((await site.upload(id, last, large.files.get(last) ?? empty)).remaining).toBe(9_999);
    expect((await missing(id))[0]).toBe(first);
  });
});
