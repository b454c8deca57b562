import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { eventually, openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../content.module.js';
import { contentTables } from '../migrations/index.js';
import { EntryLimit } from './entry-limit.js';

let content: ServiceTenant;
let refusals = 0;
const limit = new EntryLimit(() => (refusals += 1));

beforeAll(async () => {
  content = await openServiceTenant('spec-of-entry-limit', 'content', contentTables, contentEntities);
});
afterAll(() => content.close());
beforeEach(async () => {
  refusals = 0;
  await content.ctx.db.query('DELETE FROM entry_counts');
});

/** A context of the site with a limit of so many entries. */
function limited(entries?: number): Context {
  const { principal } = content.ctx;
  const tenant = { ...principal.tenant, ...(entries !== undefined && { limits: { entries } }) };
  return { ...content.ctx, principal: { ...principal, tenant } };
}
/** Adds to the count of entries, as the triggers do with each new one. */
const add = (tx: Pick<Transaction, 'query'>, count: number) =>
  tx.query(
    `INSERT INTO entry_counts AS t (name, locale, status, shard, entries)
     VALUES ('content_posts', 'en', 'draft', pg_backend_pid(), $1)
     ON CONFLICT (name, locale, status, shard) DO UPDATE SET entries = t.entries + excluded.entries`,
    [count],
  );
const create = (ctx: Context, count = 1) =>
  ctx.db.transaction(async (tx) => {
    await limit.assertRoom(tx, ctx, count);
    await add(tx, count);
  });
const refused = (used: number, max: number) =>
  expect.objectContaining({ code: 'ENTRY_LIMIT_EXCEEDED', details: { limit: max, used } });

describe('EntryLimit', () => {
  it('admits entries up to the limit, and reads nothing for a site without one', async () => {
    await create(limited(3), 2);
    await create(limited(3));
    await expect(create(limited(3))).rejects.toEqual(refused(3, 3));
    expect(refusals).toBe(1);
    expect([limit.isSet(limited()), limit.isSet(limited(3))]).toEqual([false, true]);
    const unread = { query: () => Promise.reject(new Error('a statement')) } as unknown as Transaction;
    await limit.assertRoom(unread, limited(), 1);
    await limit.assertRoom(unread, limited(3), 0);
  });

  it('admits all of several entries, or none', async () => {
    await expect(create(limited(3), 4)).rejects.toEqual(refused(0, 3));
    await create(limited(3), 3);
  });

  it('refuses new entries of a site that has more than its limit', async () => {
    await add(content.ctx.db, 10);
    await expect(create(limited(3))).rejects.toEqual(refused(10, 3));
  });

  it('does not let creations far from the limit wait for each other', async () => {
    const ctx = limited(5_000);
    await ctx.db.transaction(async (first) => {
      await limit.assertRoom(first, ctx, 1);
      await ctx.db.transaction(async (second) => {
        await second.query("SET LOCAL lock_timeout = '5s'");
        await limit.assertRoom(second, ctx, 1);
      });
    });
  });

  it('lets a creation near the limit wait for one that began far from it', async () => {
    const far = limited(5_000);
    const near = limited(2);
    let waiting: Promise<unknown> = Promise.resolve();
    await far.db.transaction(async (tx) => {
      await limit.assertRoom(tx, far, 1);
      await add(tx, 2);
      waiting = create(near).catch((error: unknown) => error);
      await untilWaiting();
    });
    expect(await waiting).toEqual(refused(2, 2));
  });

  it('is not exceeded by concurrent creations far from it and near it, which all end', async () => {
    const ctx = limited(1_020);
    const outcomes = async (number: number, count: number) =>
      (await Promise.allSettled(Array.from({ length: number }, () => create(ctx, count)))).filter(
        ({ status }) => status === 'fulfilled',
      ).length;
    expect(await outcomes(50, 1)).toBe(50);
    expect(await outcomes(40, 30)).toBe(32);
    expect(await outcomes(20, 1)).toBe(10);
    const [row] = await ctx.db.query<{ used: number }>(
      'SELECT sum(entries)::bigint AS used FROM entry_counts',
    );
    expect(row?.used).toBe(1_020);
  });

  /** Waits until a transaction waits for the lock of the limit. */
  async function untilWaiting(): Promise<void> {
    const waiting = () =>
      content.ctx.db.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
    expect(await eventually(async () => (await waiting()).length > 0)).toBe(true);
  }
});
