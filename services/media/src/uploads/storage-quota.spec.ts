import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Context } from '@quire/context';
import type { Queryable, Transaction } from '@quire/database';
import { eventually, openServiceTenant, type ServiceTenant } from '@quire/testing';
import { mediaEntities } from '../media.module.js';
import { mediaTables } from '../migrations/index.js';
import { StorageQuota } from './storage-quota.js';

let media: ServiceTenant;
const onRefused = jest.fn();
const quota = new StorageQuota(onRefused);

beforeAll(async () => {
  media = await openServiceTenant('spec-of-storage-quota', 'media', mediaTables, mediaEntities);
});
afterAll(() => media.close());
/** Files of 60 bytes. */
beforeEach(async () => {
  onRefused.mockClear();
  await media.ctx.db.query('DELETE FROM media_items');
  await add(media.ctx.db, 60);
});

/** A context of the site with a limit of so many bytes. */
function limited(mediaBytes?: number): Context {
  const { principal } = media.ctx;
  const tenant = { ...principal.tenant, ...(mediaBytes !== undefined && { limits: { mediaBytes } }) };
  return { ...media.ctx, principal: { ...principal, tenant } };
}
let items = 0;
function add(sql: Queryable, bytes: number) {
  items += 1;
  return sql.query(
    `INSERT INTO media_items (id, filename, mime_type, size, storage_key, status)
     VALUES ($1, 'a', 'x/y', $2, $1, 'ready')`,
    [`item-${items}`, bytes],
  );
}
const store = (ctx: Context, bytes: number) =>
  ctx.db.transaction(async (tx) => {
    await add(tx, bytes);
    await quota.assertKept(tx, ctx, bytes);
  });
const exceeded = (usedBytes: number, limitBytes: number) =>
  expect.objectContaining({ code: 'STORAGE_QUOTA_EXCEEDED', details: { usedBytes, limitBytes } });

describe('StorageQuota', () => {
  it('admits files up to the limit, and reads nothing for a site without one', async () => {
    await store(limited(100), 40);
    await expect(store(limited(100), 1)).rejects.toEqual(exceeded(100, 100));
    expect(onRefused).toHaveBeenCalledTimes(1);
    const unread = { query: () => Promise.reject(new Error('a statement')) } as unknown as Transaction;
    await quota.assertKept(unread, limited(), 1_000);
    await quota.assertRoom(unread, limited(), 1_000);
  });

  it('refuses a declared file that is too large, before it is sent', async () => {
    await quota.assertRoom(media.ctx.db, limited(100), 40);
    await expect(quota.assertRoom(media.ctx.db, limited(100), 41)).rejects.toEqual(exceeded(60, 100));
  });

  it('does not refuse a smaller replacement in a site that has more than its limit', async () => {
    const ctx = limited(10);
    await ctx.db.transaction((tx) => quota.assertKept(tx, ctx, -5));
    await expect(store(ctx, 1)).rejects.toEqual(exceeded(60, 10));
  });

  it('lets a transaction wait for one that has stored a file', async () => {
    const ctx = limited(100);
    let second: Promise<unknown> = Promise.resolve();
    await ctx.db.transaction(async (first) => {
      await add(first, 30);
      await quota.assertKept(first, ctx, 30);
      second = store(ctx, 30).catch((error: unknown) => error);
      const waits = () =>
        media.ctx.db.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
      expect(await eventually(async () => (await waits()).length > 0)).toBe(true);
    });
    expect(await second).toEqual(exceeded(90, 100));
  });
});
