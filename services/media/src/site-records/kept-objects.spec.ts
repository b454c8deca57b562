import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertRow } from '@quire/database';
import { connectObjectStore, type ObjectStore } from '@quire/object-store';
import { createLogger } from '@quire/observability';
import { eventually, openServiceTenant, type ServiceTenant } from '@quire/testing';
import { ulid } from '@quire/values';
import { MediaItem } from '../items/index.js';
import { mediaEntities } from '../media.module.js';
import { mediaTables } from '../migrations/index.js';
import { MediaObjects, objectDeletionRunner, scheduleObjectDeletions } from '../objects/index.js';
import { selectItemObjects } from './item-objects.repository.js';
import {
  discardSiteRecords,
  listKeptFiles,
  readSiteRecords,
  stageSiteRecords,
} from './staging.operations.js';

const name = 'spec-of-kept-objects';
const logger = createLogger({ level: 'silent', targets: ['spec'] });
let media: ServiceTenant;
let folder: string;
let store: ObjectStore;
let objects: MediaObjects;

beforeAll(async () => {
  media = await openServiceTenant(name, 'media', mediaTables, mediaEntities);
  folder = await mkdtemp(join(tmpdir(), `${name}-`));
  store = await connectObjectStore({ s3: undefined, folder });
  objects = new MediaObjects(store, logger);
});
afterAll(async () => {
  await media.close();
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

let hashes = 0;
/** Stores a ready item. */
async function createItem(): Promise<{ id: string; objectKey: string }> {
  const [id, objectKey] = [ulid(), `${name}/${ulid()}`];
  await store.put(objectKey, Readable.from([Buffer.from('bytes')]), { contentType: 'image/png' });
  const sha256 = String(hashes++).padStart(64, '0');
  const file = {
    filename: 'a.png',
    mimeType: 'image/png',
    size: 5,
    storageKey: `${id}.png`,
    objectKey,
    sha256,
  };
  await insertRow(media.ctx.db, MediaItem, { id, ...file, status: 'ready', authorId: null });
  return { id, objectKey };
}
/** What the deletion of an item does to its object. */
async function deleteItem({ id, objectKey }: { id: string; objectKey: string }): Promise<void> {
  await media.ctx.db.query('DELETE FROM media_items WHERE id = $1', [id]);
  await scheduleObjectDeletions(media.ctx.db, media.tenant, [objectKey]);
  await objects.remove(media.ctx, objectKey);
}
const keep = (operationId: string) => stageSiteRecords(media.ctx, { operationId, comments: true });
const discard = (operationId: string) => discardSiteRecords(media.ctx, { operationId, keepsFiles: false });
const keptKeys = async (operationId: string) =>
  (await listKeptFiles(media.ctx, { operationId, after: '', limit: 1000 })).map(({ objectKey }) => objectKey);
const isStored = async (objectKey: string) => (await store.stat(objectKey)) !== undefined;
const dueDeletions = () =>
  media.ctx.db.query(
    'SELECT object_key FROM cms_media.object_deletions WHERE tenant_id = $1 AND due_at <= now()',
    [name],
  );

/** Lets the runner process all due deletions of this tenant. */
async function deleteDueObjects(): Promise<void> {
  const runner = objectDeletionRunner({
    // The rights of the tenant keep it from the deletions of other specs.
    databases: [media.ctx.db],
    store,
    tenantDatabase: (tenantId) => Promise.resolve(tenantId === name ? media.ctx.db : undefined),
    logger,
  });
  runner.start();
  const left = await eventually(dueDeletions, (rows) => rows.length === 0);
  await runner.stop();
  expect(left).toEqual([]);
}

describe('objects that a site export keeps', () => {
  it('exist after their item is deleted, until the copies are discarded', async () => {
    const item = await createItem();
    const { objectKey } = item;
    await keep('export-1');
    await deleteItem(item);
    expect([await isStored(objectKey), await keptKeys('export-1')]).toEqual([true, [objectKey]]);
    await deleteDueObjects();
    expect(await isStored(objectKey)).toBe(true);
    await discard('export-1');
    await deleteDueObjects();
    expect([await isStored(objectKey), await keptKeys('export-1')]).toEqual([false, []]);
  });

  it('exist after their item has another one', async () => {
    const { id, objectKey } = await createItem();
    await keep('export-2');
    await media.ctx.db.query('UPDATE media_items SET object_key = $2 WHERE id = $1', [
      id,
      `${name}/${ulid()}`,
    ]);
    await scheduleObjectDeletions(media.ctx.db, media.tenant, [objectKey]);
    await deleteDueObjects();
    expect(await isStored(objectKey)).toBe(true);
    await discard('export-2');
    await deleteDueObjects();
    expect(await isStored(objectKey)).toBe(false);
    await media.ctx.db.query('DELETE FROM media_items WHERE id = $1', [id]);
  });

  it('exist until the last export that keeps them has ended', async () => {
    const item = await createItem();
    const { objectKey } = item;
    await keep('export-3');
    await keep('export-4');
    await deleteItem(item);
    await discard('export-3');
    await deleteDueObjects();
    expect(await isStored(objectKey)).toBe(true);
    await discard('export-4');
    await deleteDueObjects();
    expect(await isStored(objectKey)).toBe(false);
  });

  it('exist until they are discarded, also after the records are', async () => {
    const item = await createItem();
    const { objectKey } = item;
    await keep('export-7');
    await discardSiteRecords(media.ctx, { operationId: 'export-7', keepsFiles: true });
    const page = { kind: 'media_items', after: 0, maxRecords: 1, maxBytes: 1 } as const;
    expect((await readSiteRecords(media.ctx, { operationId: 'export-7', ...page })).lines).toEqual([]);
    await deleteItem(item);
    await deleteDueObjects();
    expect([await isStored(objectKey), await keptKeys('export-7')]).toEqual([true, [objectKey]]);
    await discard('export-7');
    await deleteDueObjects();
    expect(await isStored(objectKey)).toBe(false);
  });

  it('are deleted after nine days when the export never ends', async () => {
    const item = await createItem();
    const { objectKey } = item;
    await keep('export-5');
    await deleteItem(item);
    const nineDays = await media.ctx.db.query<{ days: number }>(
      `SELECT round(extract(epoch FROM due_at - now()) / 86400)::integer AS days FROM cms_media.object_deletions
       WHERE object_key = $1`,
      [objectKey],
    );
    expect(nineDays).toEqual([{ days: 9 }]);
    // Not the present time: the columns round it to milliseconds, up to the future.
    const past = "now() - interval '1 second'";
    await media.ctx.db.query(`UPDATE kept_objects SET kept_until = ${past}`);
    await media.ctx.db.query(`UPDATE cms_media.object_deletions SET due_at = ${past} WHERE object_key = $1`, [
      objectKey,
    ]);
    await deleteDueObjects();
    expect(await isStored(objectKey)).toBe(false);
  });

  it('stay with their item when the copies are discarded', async () => {
    const { objectKey } = await createItem();
    await keep('export-6');
    await discard('export-6');
    await deleteDueObjects();
    expect(await isStored(objectKey)).toBe(true);
  });
});

describe('selectItemObjects', () => {
  it('returns the object of each ready item in pages, also of items with equal bytes', async () => {
    const [first, second] = [await createItem(), await createItem()];
    await media.ctx.db.query(
      'UPDATE media_items SET sha256 = (SELECT sha256 FROM media_items WHERE id = $1)',
      [first.id],
    );
    await media.ctx.db.query(`INSERT INTO media_items (id, filename, mime_type, size, storage_key, status)
      VALUES ('pending', 'a', 'image/png', 1, 'pending', 'pending')`);
    const items: { id: string; objectKey: string }[] = [];
    for (let after = ''; ;) {
      const [item] = await selectItemObjects(media.ctx.db, { after, limit: 1 });
      if (!item) break;
      items.push(item);
      after = item.id;
    }
    const found = items.filter(({ id }) => [first.id, second.id].includes(id));
    expect(found).toEqual([first, second].map((item) => expect.objectContaining(item)));
    expect(items.map(({ id }) => id)).not.toContain('pending');
  });
});
