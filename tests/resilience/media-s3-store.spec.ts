import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { connectObjectStore, type ObjectStore } from '@quire/object-store';
import {
  createImage,
  deletePendingObjects,
  download,
  eventually,
  multipartForm,
  statusAndCode,
  testS3,
  uploadFile,
  type ApiResponse,
  type Client,
  type Site,
} from '@quire/testing';
import sharp from 'sharp';
import {
  closeEnvironments,
  FaultInjectingS3,
  TestEnvironment,
  waitUntil,
  type FaultMode,
} from './support.js';

let store: FaultInjectingS3;
/** Accesses the store without faults. */
let direct: ObjectStore;
let testEnvironment: TestEnvironment;
let site: Site;
let author: Client;

beforeAll(async () => {
  const s3 = testS3();
  store = new FaultInjectingS3(new URL(s3.endpoint));
  testEnvironment = await TestEnvironment.open({
    arrangement: 'single',
    s3: { ...s3, endpoint: await store.open() },
  });
  site = await testEnvironment.openSite();
  author = await site.as('author');
  const { bucket = '' } = await testEnvironment.installation();
  direct = await connectObjectStore({ s3: { ...s3, bucket, publicEndpoint: undefined }, folder: '' });
});

afterEach(async () => {
  store.faultMode = 'none';
  store.isForbidden = () => false;
});
afterAll(async () => {
  await closeEnvironments();
  await direct?.close();
  await store?.close();
});

interface Item {
  id: string;
  url: string;
}
const uploadImage = async (): Promise<Item> =>
  (await uploadFile(author, { bytes: await createImage({ width: 90, height: 60 }), type: 'image/png' })).data
    .item;
/** Announces a file and uploads its bytes. @returns the id of the item */
async function announceImage(): Promise<string> {
  const bytes = await createImage();
  const body = { filename: 'a.png', contentType: 'image/png', size: bytes.length };
  const { mediaId } = (await author.post('/media/upload-url', body)).data;
  const headers = { 'content-type': 'image/png' };
  await author.put(`/media/${mediaId}/upload`, undefined, { headers, rawBody: bytes });
  return mediaId;
}
const large = () =>
  Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(20 * 1024 * 1024, Math.floor(Math.random() * 256))]);
const replacement = async () =>
  multipartForm([
    { name: 'file', value: await createImage({ width: 9, height: 9 }), filename: 'b.png', type: 'image/png' },
    { name: 'width', value: '9' },
    { name: 'height', value: '9' },
  ]);
const get = (path: string) => download(site.system, site.host, path);
const readiness = async (): Promise<[status: number, text: string]> => {
  const response = await fetch(`${testEnvironment.system.opsOrigin}/readyz`);
  return [response.status, await response.text()];
};

/** Every request that writes to the store. */
async function everyWrite(image: Item, announced: string): Promise<ApiResponse[]> {
  return [
    await uploadFile(author, { bytes: await createImage(), type: 'image/png' }),
    await uploadFile(author, { bytes: large(), type: 'application/pdf' }),
    await author.put(`/media/${image.id}/replace`, undefined, await replacement()),
    await author.post(`/media/${announced}/confirm`),
    await site.anonymous().get(`${image.url}?w=64`),
  ];
}

/** Expects that every write works again, and that the store has only the objects of ready items and variants. */
async function expectRecovered(image: Item, announced: string): Promise<void> {
  store.faultMode = 'none';
  const responses = await everyWrite(image, announced);
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 200, 200, 200]);
  expect(await deletePendingObjects(site)).toEqual([]);
  const needed = await site.sql<{ key: string }>(
    `SELECT object_key AS key FROM media_items WHERE status = 'ready' UNION ALL SELECT object_key FROM media_variants`,
  );
  const stored: string[] = [];
  for await (const { key } of direct.list(`${site.tenant}/`)) stored.push(key);
  expect(stored.sort()).toEqual(needed.map(({ key }) => key).sort());
}

describe('while the media store', () => {
  it('is down, media operations return 503 with Retry-After; other operations work', async () => {
    const [image, deletable, announced] = [await uploadImage(), await uploadImage(), await announceImage()];
    store.faultMode = 'unreachable';
    for (const response of await everyWrite(image, announced)) {
      expect(statusAndCode(response)).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await get(image.url)).status).toBe(503);
    const reported = await eventually(readiness, ([, text]) => text.includes('degraded'));
    expect(reported).toEqual([200, expect.stringContaining('"object-store":"failed"')]);
    expect((await author.get('/media')).data.items).toHaveLength(2);
    expect((await author.delete(`/media/${deletable.id}`)).status).toBe(200);
    expect((await get(deletable.url)).status).toBe(404);
    await expectRecovered(image, announced);
    await waitUntil('it is ready again', async () => (await readiness())[1].includes('"status":"ready"'));
  });

  it('does not respond, files return 503 and the service keeps running', async () => {
    const image = await uploadImage();
    store.faultMode = 'silent';
    const waiting = Array.from({ length: 20 }, () => get(image.url));
    expect((await author.get(`/media/${image.id}`)).status).toBe(200);
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([503]));
    store.faultMode = 'none';
    expect((await get(image.url)).status).toBe(200);
  });

  it.each<[FaultMode, number, string]>([
    ['full', 500, 'NO_STORAGE'],
    ['late failure', 503, 'SERVICE_UNAVAILABLE'],
  ])(
    'has the fault "%s", writes return %i %s and leave nothing',
    async (faultMode, status, code) => {
      const [image, announced] = [await uploadImage(), await announceImage()];
      store.faultMode = faultMode;
      const [small, inParts, replaced, confirmed, variant] = await everyWrite(image, announced);
      const failed =
        faultMode === 'full' ? [small, inParts, replaced, confirmed, variant] : [inParts, confirmed];
      for (const response of failed) expect(statusAndCode(response!)).toEqual([status, code]);
      expect((await author.get(`/media/${announced}`)).data.item.status).toBe('pending');
      expect((await get(image.url)).status).toBe(200);
      await expectRecovered(image, announced);
    },
    60_000,
  );
});

describe('image replaced during a download', () => {
  const keyOf = async ({ id }: Item) => {
    const [row] = await site.sql<{ key: string }>('SELECT object_key AS key FROM media_items WHERE id = $1', [
      id,
    ]);
    return row?.key ?? '';
  };
  const isPutOfAnother =
    (key: string) =>
    ({ method, url = '' }: IncomingMessage) =>
      method === 'PUT' && !url.includes(key);
  const isGetOf =
    (key: string) =>
    ({ method, url = '' }: IncomingMessage) =>
      method === 'GET' && url.includes(key);

  it.each([
    ['the file', '', isGetOf],
    ['a variant while it is created', '?w=64', isGetOf],
    ['a variant while it is stored', '?w=64', isPutOfAnother],
  ])('returns the new image for %s', async (_, query, request) => {
    const image = await uploadImage();
    const delayed = store.delayNext(request(await keyOf(image)));
    const fetched = get(image.url + query);
    const release = await delayed;
    expect((await author.put(`/media/${image.id}/replace`, undefined, await replacement())).status).toBe(200);
    release();
    const { status, bytes } = await fetched;
    expect(status).toBe(200);
    expect((await sharp(bytes).metadata()).width).toBe(9);
  });
});

describe('object that the store does not delete', () => {
  it('does not block other deletions', async () => {
    const keys = Array.from({ length: 8 }, (_, index) => `${site.tenant}/blocked-${index}`);
    for (const key of keys)
      await direct.put(key, Readable.from([Buffer.from(key)]), { contentType: 'text/plain' });
    store.isForbidden = ({ method, url = '' }) => method === 'DELETE' && /blocked-[0-6]$/.test(url);
    await site.sql(
      'INSERT INTO cms_media.object_deletions (object_key, tenant_id, due_at) SELECT unnest($1::text[]), $2, now()',
      [keys, site.tenant],
    );
    const left = async () => {
      const found: string[] = [];
      for await (const { key } of direct.list(`${site.tenant}/blocked-`)) found.push(key);
      return found;
    };
    await waitUntil('the others are deleted', async () => (await left()).length === 7, 10_000);
    expect(await left()).toEqual(keys.slice(0, 7));
  });
});
