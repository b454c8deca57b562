import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createImage,
  describePermissions,
  openSite,
  statusAndCode,
  uploadFile,
  useSite,
  type Call,
  type Client,
} from '@quire/testing';
import {
  completeExport,
  downloadAs,
  exportsPath,
  exportSite,
  filesOfArchive,
  recordsIn,
  sha256,
} from './support.js';

const site = useSite();
let admin: Client;
let image: Buffer;

beforeAll(async () => {
  admin = await site.as('admin');
  const posts = await site.collection({
    fields: [
      { slug: 'title', type: 'string' },
      { slug: 'price', type: 'number' },
      { slug: 'is_new', type: 'boolean' },
      { slug: 'at', type: 'datetime' },
      { slug: 'extra', type: 'json' },
      { slug: 'photo', type: 'image' },
    ],
  });
  image = await createImage();
  const uploaded = await uploadFile(admin, { bytes: image, type: 'image/png', filename: 'photo.png' });
  const data = {
    title: 'Größe',
    price: 19.5,
    is_new: true,
    at: '2026-01-02T03:04:05.006Z',
    extra: { b: 1, a: [null] },
    photo: { id: uploaded.data.item.id as string },
  };
  const created = await admin.post(posts.path, { data, slug: 'first' });
  const { id } = created.data.item as { id: string };
  await admin.post(`${posts.path}/${id}/publish`);
  await admin.put(`${posts.path}/${id}`, { data: { title: 'Draft' } });
});

describe('POST admin/transfer/exports', () => {
  it('exports the whole site as a package whose files match their digests (contract 25)', async () => {
    const { operation, totals } = await exportSite(admin);
    expect(operation).toMatchObject({ kind: 'export', state: 'complete', stage: null, error: null });
    expect(operation.progress.done).toBe(operation.progress.total);
    const archive = await downloadAs(site, admin, `${exportsPath}/${operation.id}/archive`);
    expect([archive.status, archive.headers['content-type']]).toEqual([200, 'application/x-tar']);
    const files = filesOfArchive(archive.bytes);
    const [manifest] = files;
    expect(manifest?.path).toBe('manifest.json');
    expect(`sha256:${sha256(manifest?.bytes ?? Buffer.alloc(0))}`).toBe(operation.packageDigest);
    const declared = files
      .filter(({ path }) => path.startsWith('index/'))
      .flatMap(({ bytes }) => bytes.toString().trimEnd().split('\n'))
      .map((line) => JSON.parse(line) as { path: string; bytes: number; sha256: string });
    const found = files
      .filter(({ path }) => /^(records|media)\//.test(path))
      .map(({ path, bytes }) => ({ path, bytes: bytes.length, sha256: sha256(bytes) }));
    expect(declared).toEqual(found);
    expect(declared.filter(({ path }) => path.startsWith('media/'))).toEqual([
      { path: `media/${sha256(image)}`, bytes: image.length, sha256: sha256(image) },
    ]);
    expect(totals.media).toEqual({ count: 1, totalBytes: image.length });
    expect(totals.records.byKind).toMatchObject({ collections: 1, fields: 6, entries: 1, media_items: 1 });
    const [entry] = recordsIn(files, 'entries');
    expect(entry).toMatchObject({
      collection: 'posts',
      slug: 'first',
      status: 'published',
      values: {
        title: 'Größe',
        price: 19.5,
        is_new: true,
        at: '2026-01-02T03:04:05.006Z',
        extra: '{"b":1,"a":[null]}',
      },
    });
    expect(recordsIn(files, 'principals')).toEqual([
      expect.objectContaining({ email: `admin@${site.tenant}.example` }),
    ]);
  });

  it('exports comments unless they are left out, and the same content with equal logical digests', async () => {
    const logicalDigest = async (options: object) => {
      const { operation } = await exportSite(admin, options);
      const { bytes } = await downloadAs(site, admin, `${exportsPath}/${operation.id}/manifest`);
      return (JSON.parse(bytes.toString()) as { logicalDigest: string }).logicalDigest;
    };
    const first = await logicalDigest({});
    expect(await logicalDigest({ comments: false })).toBe(first);
    await admin.put('/settings', { title: 'Another title' });
    expect(await logicalDigest({})).not.toBe(first);
  });

  it('starts one export for requests with one Idempotency-Key, and refuses the key for other options', async () => {
    const headers = { 'idempotency-key': 'nightly-1' };
    const first = await admin.post(exportsPath, {}, { headers });
    const again = await admin.post(exportsPath, {}, { headers });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect([first.data.created, again.data.created]).toEqual([true, false]);
    expect(again.data.operation.id).toBe(first.data.operation.id);
    const other = await admin.post(exportsPath, { comments: false }, { headers });
    expect(statusAndCode(other)).toEqual([409, 'TRANSFER_IDEMPOTENCY_CONFLICT']);
    await completeExport(admin, first.data.operation.id as string);
  });

  it('starts another export for the Idempotency-Key of one that has ended, a day later', async () => {
    const headers = { 'idempotency-key': 'nightly-2' };
    const first = await admin.post(exportsPath, {}, { headers });
    const id = first.data.operation.id as string;
    await completeExport(admin, id);
    const move = (interval: string) =>
      site.sql('UPDATE transfer_operations SET created_at = created_at + $2::interval WHERE id = $1', [
        id,
        interval,
      ]);
    await move('-25 hours');
    const next = await admin.post(exportsPath, { comments: false }, { headers });
    await move('25 hours');
    expect([next.status, next.data.created]).toEqual([201, true]);
    expect(next.data.operation.id).not.toBe(id);
    await completeExport(admin, next.data.operation.id as string);
  });

  it('rejects unknown options by name', async () => {
    const response = await admin.post(exportsPath, { media: false });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('POST admin/transfer/exports/{id}/advance', () => {
  it('takes a step, or names a delay while a worker does, until nothing is left', async () => {
    const { data } = await admin.post(exportsPath);
    const path = `${exportsPath}/${data.operation.id}/advance`;
    const delays = new Set<number | null>();
    for (let calls = 0; calls < 1000; calls += 1) {
      const { data: step } = await admin.post(path);
      delays.add(step.nextRequestInMs as number | null);
      if (step.nextRequestInMs === null) break;
      if (step.nextRequestInMs > 0) await wait(20);
    }
    expect([...delays].every((delay) => delay === null || delay === 0 || delay === 1000)).toBe(true);
    expect(delays.has(null)).toBe(true);
    const { data: last } = await admin.get(`${exportsPath}/${data.operation.id}`);
    expect(last.operation.state).toBe('complete');
  });
});

describe('downloads of an export', () => {
  let id: string;
  let whole: Buffer;
  beforeAll(async () => {
    const { operation } = await exportSite(admin);
    id = operation.id as string;
    whole = (await downloadAs(site, admin, `${exportsPath}/${id}/archive`)).bytes;
  });

  it('continue with Range: every part is the same bytes as of the whole archive', async () => {
    const cuts = [0, 1, 511, 512, 513, 1500, whole.length - 1025, whole.length - 1, whole.length];
    for (let index = 1; index < cuts.length; index += 1) {
      const [start = 0, end = 0] = [cuts[index - 1], (cuts[index] ?? 0) - 1];
      const part = await downloadAs(site, admin, `${exportsPath}/${id}/archive`, {
        range: `bytes=${start}-${end}`,
      });
      expect([part.status, part.headers['content-range']]).toEqual([
        206,
        `bytes ${start}-${end}/${whole.length}`,
      ]);
      expect(part.bytes.equals(whole.subarray(start, end + 1))).toBe(true);
    }
  });

  it('send the whole archive for a Range of other bytes, and 416 for one outside', async () => {
    const path = `${exportsPath}/${id}/archive`;
    const other = await downloadAs(site, admin, path, { range: 'bytes=5-', 'if-range': '"other"' });
    expect([other.status, other.bytes.equals(whole)]).toEqual([200, true]);
    const outside = await downloadAs(site, admin, path, { range: `bytes=${whole.length}-` });
    expect([outside.status, outside.headers['content-range']]).toEqual([416, `bytes */${whole.length}`]);
  });

  it('give each file by its path, and NOT_FOUND for other paths', async () => {
    for (const { path, bytes } of filesOfArchive(whole)) {
      const file = await downloadAs(site, admin, `${exportsPath}/${id}/files/${path}`);
      expect([path, file.status, file.bytes.equals(bytes)]).toEqual([path, 200, true]);
    }
    const paths = ['records/entries/000009.ndjson', '../manifest.json', 'media/..%2f..%2fetc', 'nothing'];
    for (const path of paths)
      expect((await downloadAs(site, admin, `${exportsPath}/${id}/files/${path}`)).status).toBe(404);
  });

  it('keep a media file that is deleted after the export', async () => {
    const bytes = await createImage();
    const { data } = await uploadFile(admin, { bytes, type: 'image/png', filename: 'gone.png' });
    const { operation } = await exportSite(admin);
    await admin.delete(`/media/${data.item.id}`);
    const path = `${exportsPath}/${operation.id}/files/media/${sha256(bytes)}`;
    expect((await downloadAs(site, admin, path)).bytes.equals(bytes)).toBe(true);
  });

  it('are TRANSFER_INVALID_STATE before the end, and TRANSFER_EXPIRED after a week', async () => {
    const { data } = await admin.post(exportsPath);
    const other = data.operation.id as string;
    await completeExport(admin, other);
    const set = (state: string, expires: string) =>
      site.sql('UPDATE transfer_operations SET state = $2, expires_at = now() + $3::interval WHERE id = $1', [
        other,
        state,
        expires,
      ]);
    await set('running', '1 day');
    const running = await admin.get(`${exportsPath}/${other}/manifest`);
    expect(statusAndCode(running)).toEqual([409, 'TRANSFER_INVALID_STATE']);
    await set('complete', '-1 second');
    const expired = await admin.get(`${exportsPath}/${other}/archive`);
    expect(statusAndCode(expired)).toEqual([410, 'TRANSFER_EXPIRED']);
  });
});

describe('exports of other sites', () => {
  it('are TRANSFER_OPERATION_NOT_FOUND, and not in the list', async () => {
    const { operation } = await exportSite(admin);
    const stranger = await openSite();
    const other = await stranger.as('admin');
    const path = `${exportsPath}/${operation.id}`;
    expect(statusAndCode(await other.get(path))).toEqual([404, 'TRANSFER_OPERATION_NOT_FOUND']);
    expect(statusAndCode(await other.get(`${path}/archive`))).toEqual([404, 'TRANSFER_OPERATION_NOT_FOUND']);
    expect((await other.get(exportsPath)).data.items).toEqual([]);
    await stranger.close();
  });
});

describe('GET admin/transfer/exports', () => {
  it('lists exports in pages, the newest first', async () => {
    const ids: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await admin.get(
        `${exportsPath}?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`,
      );
      ids.push(...(page.data.items as { id: string }[]).map(({ id }) => id));
      cursor = page.data.nextCursor as string | undefined;
      if (cursor === undefined) break;
    }
    expect(ids.length).toBeGreaterThan(4);
    expect(ids).toEqual([...ids].sort().reverse());
  });
});

const unknown = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const ofUnknown: Record<string, Call> = {
  getTransferExport: (client) => client.get(`${exportsPath}/${unknown}`),
  advanceTransferExport: (client) => client.post(`${exportsPath}/${unknown}/advance`),
  getTransferExportManifest: (client) => client.get(`${exportsPath}/${unknown}/manifest`),
  downloadTransferExportFile: (client) => client.get(`${exportsPath}/${unknown}/files/manifest.json`),
  downloadTransferExportArchive: (client) => client.get(`${exportsPath}/${unknown}/archive`),
};
const permission = {
  permission: 'transfer:export',
  minRole: 'admin',
  scopes: ['transfer:export', 'admin'],
  rejection: 'INSUFFICIENT_PERMISSIONS',
} as const;

describePermissions(
  () => site,
  [
    {
      ...permission,
      scopes: [...permission.scopes],
      expectedStatus: 200,
      operations: { listTransferExports: (client) => client.get(exportsPath) },
    },
    {
      ...permission,
      scopes: [...permission.scopes],
      expectedStatus: 201,
      operations: { createTransferExport: (client) => client.post(exportsPath) },
    },
    { ...permission, scopes: [...permission.scopes], expectedStatus: 404, operations: ofUnknown },
  ],
);
