import { randomBytes } from 'node:crypto';
import { request as openRequest } from 'node:http';
import { Readable } from 'node:stream';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  archivedFilesOf,
  buildPackage,
  createImage,
  describePermissions,
  openSite,
  recordOf,
  statusAndCode,
  uploadFile,
  useSite,
  walkPages,
  type Call,
  type Client,
  type SitePackage,
} from '@quire/testing';
import { downloadAs, exportsPath, exportSite, filesOfArchive, sha256 } from './support.js';

const importsPath = '/admin/transfer/imports';
const site = useSite();
let admin: Client;

const image = Buffer.from('bytes of an image');
const content = buildPackage({
  records: { menus: ['a', 'b'].map((id) => recordOf('menus', { id })) },
  media: [image, Buffer.alloc(0)],
  recordsPerFile: 1,
});
const menus = 'records/menus/000001.ndjson';

const create = (client: Client, bytes: Buffer, headers: Record<string, string> = {}) =>
  client.post(importsPath, undefined, {
    rawBody: bytes,
    headers: { 'content-type': 'application/json', ...headers },
  });
const put = (client: Client, id: string, path: string, bytes: Buffer | Readable) =>
  client.put(`${importsPath}/${id}/files/${path}`, undefined, { rawBody: bytes });
async function start(given: SitePackage = content): Promise<string> {
  const { data } = await create(admin, given.manifestBytes);
  return data.operation.id as string;
}
async function uploadAll(id: string, { files }: Pick<SitePackage, 'files'>) {
  const responses = [];
  for (const [path, bytes] of files) responses.push(await put(admin, id, path, bytes));
  return responses;
}

beforeAll(async () => {
  admin = await site.as('admin');
});
beforeEach(() => site.sql("UPDATE transfer_operations SET state = 'cancelled' WHERE kind = 'import'"));

describe('POST admin/transfer/imports', () => {
  it('creates an import of the package with this manifest (contract 25)', async () => {
    const response = await create(admin, content.manifestBytes);
    expect(response.status).toBe(201);
    expect(response.data).toMatchObject({ created: true, missing: { items: content.manifest.index } });
    expect(response.data.operation).toMatchObject({
      ...{ kind: 'import', state: 'uploading', packageDigest: content.packageDigest },
      ...{ originSiteId: 'site-1', error: null, receipt: null },
    });
  });

  it('returns the import of the same key and manifest, and refuses the key for another manifest', async () => {
    const headers = { 'idempotency-key': 'move-1' };
    const first = await create(admin, content.manifestBytes, headers);
    const again = await create(admin, content.manifestBytes, headers);
    expect([again.status, again.data.created, again.data.operation.id]).toEqual([
      200,
      false,
      first.data.operation.id,
    ]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await create(admin, buildPackage().manifestBytes, headers);
    expect(statusAndCode(other)).toEqual([409, 'TRANSFER_IDEMPOTENCY_CONFLICT']);
  });

  it('is TRANSFER_INVALID_STATE while another import occupies the site, and names it', async () => {
    const id = await start();
    const second = await create(admin, content.manifestBytes);
    expect(statusAndCode(second)).toEqual([409, 'TRANSFER_INVALID_STATE']);
    expect(second.error.details).toMatchObject({ operationId: id });
  });

  it.each<[string, Buffer, number, string]>([
    ['no JSON', Buffer.from('{'), 422, 'TRANSFER_MANIFEST_INVALID'],
    ['no bytes', Buffer.alloc(0), 422, 'TRANSFER_MANIFEST_INVALID'],
    ['deep JSON', Buffer.alloc(8 * 1024 * 1024, '['), 422, 'TRANSFER_MANIFEST_INVALID'],
    [
      'another format',
      buildPackage({ manifest: { formatVersion: '2' } }).manifestBytes,
      422,
      'TRANSFER_UNSUPPORTED_FORMAT',
    ],
    [
      'an unknown feature',
      buildPackage({ manifest: { features: ['x'] } }).manifestBytes,
      422,
      'TRANSFER_UNSUPPORTED_FEATURE',
    ],
    [
      'too many files',
      buildPackage({ manifest: { media: { count: 10_000_001, bytes: 1 } } }).manifestBytes,
      413,
      'TRANSFER_LIMIT_EXCEEDED',
    ],
    ['9 MiB', Buffer.alloc(9 * 1024 * 1024, ' '), 413, 'TRANSFER_LIMIT_EXCEEDED'],
  ])('rejects %s', async (_, bytes, status, code) => {
    expect(statusAndCode(await create(admin, bytes))).toEqual([status, code]);
  });

  it('accepts application/json only', async () => {
    const response = await create(admin, content.manifestBytes, { 'content-type': 'text/plain' });
    expect(statusAndCode(response)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });
});

describe('PUT admin/transfer/imports/{id}/files/{path}', () => {
  it('receives a package that another site has exported', async () => {
    const origin = await openSite();
    const exporter = await origin.as('admin');
    const bytes = await createImage();
    await uploadFile(exporter, { bytes, type: 'image/png', filename: 'photo.png' });
    const { operation } = await exportSite(exporter);
    const archive = await downloadAs(origin, exporter, `${exportsPath}/${operation.id}/archive`);
    await origin.close();
    const [manifest, ...files] = filesOfArchive(archive.bytes);
    const created = await create(admin, manifest?.bytes ?? Buffer.alloc(0));
    expect(created.data.operation).toMatchObject({
      packageDigest: operation.packageDigest,
      originSiteId: origin.tenant,
    });
    const id = created.data.operation.id as string;
    const uploads = await uploadAll(id, { files: new Map(files.map(({ path, bytes }) => [path, bytes])) });
    expect(uploads.map(({ status }) => status)).toEqual(files.map(() => 200));
    expect(uploads.at(-1)?.data).toEqual({
      path: `media/${sha256(bytes)}`,
      bytes: bytes.length,
      alreadyVerified: false,
      remaining: 0,
    });
    const { data } = await admin.get(`${importsPath}/${id}`);
    expect(data.files).toEqual({ declared: files.length, verified: files.length });
  });

  it('returns how many known files remain, and accepts a stored file again', async () => {
    const id = await start();
    const uploads = await uploadAll(id, content);
    expect(uploads.map(({ data }) => data.remaining as number)).toEqual([4, 3, 2, 1, 0]);
    const [path = '', bytes = image] = [...content.files].at(-1) ?? [];
    expect((await put(admin, id, path, bytes)).data).toMatchObject({ alreadyVerified: true, remaining: 0 });
  });

  it('receives a file of several megabytes', async () => {
    const media = randomBytes(20 * 1024 * 1024);
    const large = buildPackage({ media: [media] });
    const id = await start(large);
    const uploads = await uploadAll(id, large);
    expect(uploads.at(-1)?.data).toMatchObject({ bytes: media.length, remaining: 0 });
    const again = await put(admin, id, `media/${sha256(media)}`, media);
    expect(again.data).toMatchObject({ alreadyVerified: true });
  });

  it.each<[string, string, Buffer, number, string]>([
    ['a path of no package', 'records/users/000001.ndjson', image, 422, 'TRANSFER_PATH_INVALID'],
    ['the manifest', 'manifest.json', content.manifestBytes, 422, 'TRANSFER_PATH_INVALID'],
    ['an escaped parent folder', 'media/..%2f..%2fetc', image, 422, 'TRANSFER_PATH_INVALID'],
    ['an undeclared file', `media/${'0'.repeat(64)}`, image, 422, 'TRANSFER_FILE_NOT_DECLARED'],
    ['another size', `media/${sha256(image)}`, Buffer.from('x'), 422, 'TRANSFER_FILE_SIZE_MISMATCH'],
    [
      'other bytes',
      `media/${sha256(image)}`,
      Buffer.alloc(image.length),
      422,
      'TRANSFER_FILE_DIGEST_MISMATCH',
    ],
  ])('rejects %s', async (_, path, bytes, status, code) => {
    const id = await start();
    await put(admin, id, 'index/000001.ndjson', content.files.get('index/000001.ndjson') ?? image);
    expect(statusAndCode(await put(admin, id, path, bytes))).toEqual([status, code]);
    expect((await admin.get(`${importsPath}/${id}`)).data.files).toEqual({ declared: 5, verified: 1 });
  });

  it('requires Content-Length', async () => {
    const id = await start();
    const response = await put(admin, id, 'index/000001.ndjson', Readable.from([image]));
    expect(statusAndCode(response)).toEqual([411, 'LENGTH_REQUIRED']);
  });

  it('rejects an index that declares a file twice, and the import may be cancelled', async () => {
    const twice = buildPackage({
      records: { menus: [recordOf('menus')] },
      changeIndex: (lines) => [...lines, ...lines],
    });
    const id = await start(twice);
    const index = twice.files.get('index/000001.ndjson') ?? image;
    const response = await put(admin, id, 'index/000001.ndjson', index);
    expect(statusAndCode(response)).toEqual([422, 'TRANSFER_MANIFEST_INVALID']);
    expect(response.error.details).toEqual({ path: 'index/000001.ndjson', line: 2 });
    expect((await admin.get(`${importsPath}/${id}`)).data.operation.state).toBe('uploading');
  });

  it('stores nothing of an interrupted upload', async () => {
    const id = await start();
    const path = 'index/000001.ndjson';
    const bytes = content.files.get(path) ?? image;
    await new Promise<void>((resolve) => {
      const { port, hostname } = new URL(site.system.origin);
      const interrupted = openRequest({
        ...{ hostname, port, method: 'PUT', path: `/_cms/api${importsPath}/${id}/files/${path}` },
        headers: {
          host: site.host,
          authorization: `Bearer ${admin.token}`,
          'content-length': bytes.length,
        },
      });
      interrupted.on('error', () => resolve()).on('close', () => resolve());
      interrupted.write(bytes.subarray(0, 10), () => interrupted.destroy());
    });
    expect((await admin.get(`${importsPath}/${id}`)).data.files).toEqual({ declared: 1, verified: 0 });
    expect((await put(admin, id, path, bytes)).data).toMatchObject({ alreadyVerified: false, remaining: 4 });
  });
});

describe('GET admin/transfer/imports/{id}/missing', () => {
  it('lists files that are not stored in pages, in the order of the archive', async () => {
    const id = await start();
    const index = content.files.get('index/000001.ndjson') ?? image;
    await put(admin, id, 'index/000001.ndjson', index);
    const items = await walkPages(admin, `${importsPath}/${id}/missing?limit=2`);
    const expected = archivedFilesOf(content).slice(2);
    expect(items).toEqual(
      expected.map(({ path, bytes }) => ({ path, bytes: bytes.length, sha256: sha256(bytes) })),
    );
    const other = await admin.get(`${importsPath}/${id}/missing?cursor=x`);
    expect(statusAndCode(other)).toEqual([400, 'INVALID_CURSOR']);
  });
});

describe('GET admin/transfer/capabilities', () => {
  it('describes the formats, and what prevents an import', async () => {
    const fresh = await openSite();
    const client = await fresh.as('admin');
    const { data } = await client.get('/admin/transfer/capabilities');
    expect(data).toMatchObject({
      formatVersions: ['1'],
      features: [],
      optionalFeatures: [],
      limits: { manifestBytes: 8 * 1024 * 1024, maxBlobBytes: 64 * 1024 ** 3 },
      portableDomain: { empty: true, blockers: [] },
    });
    await uploadFile(client, { bytes: await createImage(), type: 'image/png', filename: 'a.png' });
    const after = await client.get('/admin/transfer/capabilities');
    expect(after.data.portableDomain).toMatchObject({
      empty: false,
      blockers: [{ kind: 'media_items', count: '1' }],
    });
    await fresh.close();
  });
});

const unknown = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const onlyAdmins = { minRole: 'admin', rejection: 'INSUFFICIENT_PERMISSIONS' } as const;
const preparing: Record<string, Call> = {
  createTransferImport: (client) => create(client, Buffer.from('{}')),
  listTransferImportMissingFiles: (client) => client.get(`${importsPath}/${unknown}/missing`),
  uploadTransferImportFile: (client) => put(client, unknown, menus, image),
};

describePermissions(
  () => site,
  [
    {
      ...onlyAdmins,
      permission: 'transfer:import',
      scopes: ['transfer:analyze', 'admin'],
      operations: preparing,
    },
    {
      ...onlyAdmins,
      permission: 'transfer:import',
      scopes: ['transfer:analyze', 'transfer:execute', 'admin'],
      operations: {
        listTransferImports: (client) => client.get(importsPath),
        getTransferImport: (client) => client.get(`${importsPath}/${unknown}`),
      },
    },
    {
      ...onlyAdmins,
      permission: 'transfer:import',
      scopes: ['transfer:export', 'transfer:analyze', 'transfer:execute', 'admin'],
      operations: {
        getTransferCapabilities: (client) => client.get('/admin/transfer/capabilities'),
      },
    },
  ],
);
