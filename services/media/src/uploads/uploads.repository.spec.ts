import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Queryable } from '@quire/database';
import { eventually, openServiceTenant, type ServiceTenant } from '@quire/testing';
import { ulid } from '@quire/values';
import { mediaEntities } from '../media.module.js';
import { mediaTables } from '../migrations/index.js';
import { scheduleObjectDeletions } from '../objects/index.js';
import { insertItemOfNewContent } from './uploads.repository.js';

let media: ServiceTenant;
beforeAll(async () => {
  media = await openServiceTenant('spec-of-new-content', 'media', mediaTables, mediaEntities);
});
afterAll(() => media.close());

/** Reserves an object for an item of these bytes. */
async function reservedItem(bytes: string, changes: { folderId?: string } = {}) {
  const id = ulid();
  const objectKey = `${media.tenant.id}/${id}`;
  await scheduleObjectDeletions(media.ctx.db, media.tenant, [objectKey], { afterSeconds: 60 });
  const hash = Buffer.from(bytes).toString('hex').padEnd(64, '0');
  return {
    id,
    filename: 'a.pdf',
    mimeType: 'application/pdf',
    size: bytes.length,
    sha256: hash,
    xxh64: `xxh64:${hash.slice(0, 16)}`,
    objectKey,
    storageKey: `${id}.pdf`,
    authorId: null,
    ...changes,
  };
}
const isReserved = async ({ objectKey }: { objectKey: string }) => {
  const text = 'SELECT 1 FROM cms_media.object_deletions WHERE object_key = $1';
  return (await media.ctx.db.query(text, [objectKey])).length > 0;
};
const itemIds = async (bytes: string) => {
  const { sha256 } = await reservedItem(bytes);
  const rows = await media.ctx.db.query<{ id: string }>('SELECT id FROM media_items WHERE sha256 = $1', [
    sha256,
  ]);
  return rows.map(({ id }) => id);
};
/** Whether a statement waits for another one that stores these bytes. */
const isBlocked = async ({ sha256 }: { sha256: string }) => {
  const waiting = await media.ctx.db.query(
    `SELECT 1 FROM pg_locks, hashtextextended(current_schema() || ':media:' || $1, 0) AS key
     WHERE locktype = 'advisory' AND NOT granted
       AND classid::bigint = (key >> 32) & 4294967295 AND objid::bigint = key & 4294967295`,
    [sha256],
  );
  return waiting.length > 0;
};

describe('insertItemOfNewContent', () => {
  it('inserts a ready item and cancels the deletion of its object', async () => {
    const item = await reservedItem('new');
    expect(await insertItemOfNewContent(media.ctx.db, item)).toEqual({
      isNew: true,
      item: expect.objectContaining({
        id: item.id,
        status: 'ready',
        size: 3,
        contentHash: `sha256:${item.sha256}`,
      }),
    });
    expect(await isReserved(item)).toBe(false);
  });

  it('returns the oldest item of equal bytes, and leaves the deletion of the object', async () => {
    const [first, again] = [await reservedItem('equal'), await reservedItem('equal')];
    await insertItemOfNewContent(media.ctx.db, first);
    const stored = await insertItemOfNewContent(media.ctx.db, again);
    expect([stored.isNew, stored.item.id, await isReserved(again)]).toEqual([false, first.id, true]);
    expect(await itemIds('equal')).toEqual([first.id]);
  });

  /** Stores an item of the bytes in a transaction, and another one in a single statement before its end. */
  async function race(bytes: string, end: 'commit' | 'rollback') {
    const [first, second] = [await reservedItem(bytes), await reservedItem(bytes)];
    let later: ReturnType<typeof insertItemOfNewContent> | undefined;
    const inTransaction = async (tx: Queryable) => {
      await insertItemOfNewContent(tx, first);
      later = insertItemOfNewContent(media.ctx.db, second);
      expect(await eventually(() => isBlocked(second))).toBe(true);
      if (end === 'rollback') throw new Error('rollback');
    };
    await media.ctx.db.transaction(inTransaction).catch((error: Error) => {
      if (error.message !== 'rollback') throw error;
    });
    return { first, second, stored: await later };
  }

  it('waits for a concurrent transaction with the same bytes, and returns its item', async () => {
    const { first, second, stored } = await race('raced', 'commit');
    expect([stored?.isNew, stored?.item.id, await isReserved(second)]).toEqual([false, first.id, true]);
    expect(await itemIds('raced')).toEqual([first.id]);
  });

  it('inserts the item after a concurrent transaction with the same bytes was rolled back', async () => {
    const { first, second, stored } = await race('undone', 'rollback');
    expect([stored?.isNew, stored?.item.id, await isReserved(first)]).toEqual([true, second.id, true]);
    expect(await itemIds('undone')).toEqual([second.id]);
  });

  it('rejects an object that is being deleted, and inserts nothing', async () => {
    const item = await reservedItem('expired');
    await media.ctx.db.query('UPDATE cms_media.object_deletions SET attempts = 1 WHERE object_key = $1', [
      item.objectKey,
    ]);
    await expect(insertItemOfNewContent(media.ctx.db, item)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(await itemIds('expired')).toEqual([]);
  });

  it('rejects a missing folder, and leaves the deletion of the object', async () => {
    const item = await reservedItem('elsewhere', { folderId: ulid() });
    await expect(insertItemOfNewContent(media.ctx.db, item)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await isReserved(item)).toBe(true);
  });
});
