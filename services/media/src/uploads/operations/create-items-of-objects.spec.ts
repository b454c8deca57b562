import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { mediaApi, RequestOf } from '@quire/internal-api';
import { connectObjectStore, fingerprintStream, type ObjectStore } from '@quire/object-store';
import { createLogger } from '@quire/observability';
import { createImage, openServiceTenant, type ServiceTenant } from '@quire/testing';
import { ulid } from '@quire/values';
import { ImageInspector, ImageProcesses } from '../../images/index.js';
import type { MediaChangeNotifier } from '../../items/index.js';
import { mediaEntities } from '../../media.module.js';
import { mediaTables } from '../../migrations/index.js';
import { MediaObjects } from '../../objects/index.js';
import type { FieldTypes } from '../../types/index.js';
import { StorageQuota } from '../storage-quota.js';
import { UploadDeps } from '../upload-deps.js';
import { selectStorageUse } from '../uploads.repository.js';
import { createItemsOfObjects, reserveObjects } from './create-items-of-objects.js';

type StoredObject = RequestOf<typeof mediaApi.createItemsOfObjects>['objects'][number];

let media: ServiceTenant;
let folder: string;
let store: ObjectStore;
let processes: ImageProcesses;
let deps: UploadDeps;

beforeAll(async () => {
  const logger = createLogger({ level: 'silent', targets: ['spec'] });
  media = await openServiceTenant('spec-of-objects', 'media', mediaTables, mediaEntities);
  folder = await mkdtemp(join(tmpdir(), 'spec-of-objects-'));
  store = await connectObjectStore({ s3: undefined, folder });
  processes = new ImageProcesses(logger);
  const unused = undefined as unknown;
  deps = new UploadDeps(
    new MediaObjects(store, logger),
    new ImageInspector(processes),
    unused as FieldTypes,
    1_000_000,
    unused as MediaChangeNotifier,
    new StorageQuota(),
  );
});

afterAll(async () => {
  await processes.close();
  await store.close();
  await media.close();
  await rm(folder, { recursive: true, force: true });
});

/** Stores bytes under a reserved key, as a worker of an import does. */
async function storeObject(file: Buffer, changes: Partial<StoredObject> = {}): Promise<StoredObject> {
  const { objectKeys } = await reserveObjects(media.ctx, deps, 1);
  const [objectKey = ''] = objectKeys;
  const { bytes, fingerprint } = fingerprintStream(Readable.from([file]), { sampleBytes: 4_100 });
  await store.put(objectKey, bytes, { contentType: 'application/octet-stream' });
  const { sample, ...hashes } = fingerprint();
  return {
    ...hashes,
    sample: sample.toString('base64'),
    objectKey,
    id: ulid(),
    declaredTypes: [],
    filename: 'photo.png',
    alt: null,
    caption: null,
    authorId: 'author',
    ...changes,
  };
}

/** Makes items of objects that are files. */
async function createItemsOf(...objects: StoredObject[]) {
  const { results } = await createItemsOfObjects(media.ctx, deps, { objects });
  return results.map((result) => {
    if ('error' in result) throw new Error(result.error.message);
    return result;
  });
}
const createItemOf = async (object: StoredObject) => {
  const [item] = await createItemsOf(object);
  if (!item) throw new Error('No result');
  return item;
};

const itemOf = async (id: string) =>
  (await media.ctx.db.query<Record<string, unknown>>('SELECT * FROM media_items WHERE id = $1', [id]))[0];
const pendingDeletions = (objectKey: string) =>
  media.ctx.db.query('SELECT 1 FROM cms_media.object_deletions WHERE object_key = $1', [objectKey]);

describe('createItemsOfObjects', () => {
  it('makes a ready item with the properties of the bytes', async () => {
    const file = await createImage({ width: 40, height: 30 });
    const object = await storeObject(file, {
      alt: 'A picture',
      caption: 'Its caption',
      declaredTypes: ['text/html'],
    });
    expect(await pendingDeletions(object.objectKey)).toHaveLength(1);
    const item = await createItemOf(object);
    expect(item).toEqual({
      id: object.id,
      url: expect.stringMatching(/^\/_cms\/api\/media\/file\/[0-9A-Z]{26}\.png$/),
      isNew: true,
    });
    expect(await itemOf(object.id)).toMatchObject({
      status: 'ready',
      mime_type: 'image/png',
      filename: 'photo.png',
      width: 40,
      height: 30,
      alt: 'A picture',
      caption: 'Its caption',
      author_id: 'author',
      size: file.length,
      sha256: createHash('sha256').update(file).digest('hex'),
    });
    expect(await pendingDeletions(object.objectKey)).toEqual([]);
  });

  it('returns the item of equal bytes, and deletes the object', async () => {
    const file = await createImage({ width: 41, height: 30 });
    const first = await createItemOf(await storeObject(file));
    const again = await storeObject(file);
    expect(await createItemOf(again)).toEqual({ ...first, isNew: false });
    expect(await store.stat(again.objectKey)).toBeUndefined();
    expect(await pendingDeletions(again.objectKey)).toEqual([]);
  });

  it('makes one item of equal bytes that are stored at the same time', async () => {
    const file = await createImage({ width: 42, height: 30 });
    const objects = await Promise.all([storeObject(file), storeObject(file), storeObject(file)]);
    const items = await Promise.all(objects.map((object) => createItemOf(object)));
    expect(new Set(items.map(({ id }) => id)).size).toBe(1);
    expect(items.filter(({ isNew }) => isNew)).toHaveLength(1);
  });

  it('makes items of several objects: new ones, one of equal bytes, a known one; and leaves out a page', async () => {
    const pictures = await Promise.all([50, 51, 52].map((width) => createImage({ width, height: 30 })));
    const [known, first, second] = await Promise.all(pictures.map((file) => storeObject(file)));
    const equal = await storeObject(pictures[1] ?? Buffer.of());
    const page = await storeObject(Buffer.from('<!doctype html><p>no</p>'));
    if (!known || !first || !second) throw new Error('No objects');
    const before = await createItemOf(known);
    const repeated = await storeObject(pictures[0] ?? Buffer.of());
    const objects = [page, repeated, first, equal, second];
    const { results } = await createItemsOfObjects(media.ctx, deps, { objects });
    expect(results).toEqual([
      { error: { code: 'INVALID_TYPE', message: expect.any(String) } },
      { ...before, isNew: false },
      { id: first.id, url: expect.any(String), isNew: true },
      { id: first.id, url: expect.any(String), isNew: false },
      { id: second.id, url: expect.any(String), isNew: true },
    ]);
    const isStored = await Promise.all(objects.map(async ({ objectKey }) => !!(await store.stat(objectKey))));
    expect(isStored).toEqual([false, false, true, false, true]);
    for (const { objectKey } of objects) expect(await pendingDeletions(objectKey)).toEqual([]);
    expect([await itemOf(first.id), await itemOf(second.id)]).toMatchObject([{ width: 51 }, { width: 52 }]);
  });

  it('returns a new item also to a caller that repeats its call', async () => {
    const file = await createImage({ width: 43, height: 30 });
    const object = await storeObject(file);
    const first = await createItemOf(object);
    expect(await createItemOf(await storeObject(file, { id: object.id }))).toEqual(first);
    // The source has changed between the calls.
    const changed = await storeObject(await createImage({ width: 44, height: 30 }), { id: object.id });
    const other = await createItemOf(changed);
    expect(other.id).not.toBe(object.id);
    expect(other.isNew).toBe(true);
  });

  it.each([
    ['a page that is sent as a picture', '<!doctype html><p>no</p>', ['image/jpeg', 'text/html']],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', ['image/svg+xml']],
    ['an SVG with an XML declaration', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', []],
    ['an archive', 'PK\u0003\u0004........................', ['application/zip']],
    ['bytes of no known type', 'text', []],
  ])('rejects %s, and deletes the object', async (_, text, declaredTypes) => {
    const object = await storeObject(Buffer.from(text), { declaredTypes });
    expect(await createItemsOfObjects(media.ctx, deps, { objects: [object] })).toEqual({
      results: [{ error: { code: 'INVALID_TYPE', message: expect.any(String) } }],
    });
    expect(await store.stat(object.objectKey)).toBeUndefined();
    expect(await itemOf(object.id)).toBeUndefined();
  });

  it('rejects the key of another site', async () => {
    const object = await storeObject(Buffer.from('x'));
    const foreign = { ...object, objectKey: object.objectKey.replace(/^[^/]+/, 'other') };
    await expect(createItemOf(foreign)).rejects.toMatchObject({
      code: 'INVALID_STORAGE_KEY',
    });
  });

  it('rejects an object whose reservation is over', async () => {
    const object = await storeObject(await createImage({ width: 45, height: 30 }));
    await media.ctx.db.query('DELETE FROM cms_media.object_deletions WHERE object_key = $1', [
      object.objectKey,
    ]);
    await expect(createItemOf(object)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});

it('the storage use of a site is the sum of its ready files', async () => {
  const before = await selectStorageUse(media.ctx.db);
  const object = await storeObject(await createImage({ width: 46, height: 30 }));
  await createItemOf(object);
  expect(await selectStorageUse(media.ctx.db)).toBe(before + object.size);
});
