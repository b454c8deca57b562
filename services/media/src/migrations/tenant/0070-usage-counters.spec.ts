import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Queryable } from '@quire/database';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { mediaEntities } from '../../media.module.js';
import { mediaTables } from '../index.js';
import { usageCountersMigration } from './0070-usage-counters.js';

let media: ServiceTenant;
beforeAll(async () => {
  media = await openServiceTenant('spec-of-usage-counts', 'media', mediaTables, mediaEntities);
});
afterAll(() => media.close());

/** Inserts entries of a collection, each with uses of items; `-` before an item is a use that does not count. */
async function insert(sql: Queryable, collection: string, entries: Record<string, string[]>) {
  const ids = Object.keys(entries);
  await sql.query(
    `INSERT INTO media_usage_entries (collection_id, content_id, collection_slug, locale, status, digest)
     SELECT $1, unnest($2::text[]), $1, 'en', 'draft', ''`,
    [collection, ids],
  );
  const uses = ids.flatMap((entry) =>
    (entries[entry] ?? []).map((item) => ({ entry, item: item.replace('-', ''), counts: item[0] !== '-' })),
  );
  await sql.query(
    `INSERT INTO media_usage_sources (collection_id, content_id, media_id, variant, occurrences, counts)
     SELECT $1, entry, item, 'columns', '[]', counts FROM json_to_recordset($2) AS r (entry text, item text, counts boolean)`,
    [collection, JSON.stringify(uses)],
  );
}

type Count = { item: string; collection: string; entries: number };
const stored = (sql: Queryable) =>
  sql.query<Count>(
    `SELECT media_id AS item, collection_id AS collection, sum(entries)::bigint AS entries FROM media_usage_counts
     GROUP BY 1, 2 ORDER BY 1, 2`,
  );
const counted = (sql: Queryable) =>
  sql.query<Count>(
    `SELECT media_id AS item, collection_id AS collection, count(*) AS entries FROM media_usage_sources
     WHERE counts GROUP BY 1, 2 ORDER BY 1, 2`,
  );
const rowsOf = async (item: string) =>
  (await media.ctx.db.query('SELECT 1 FROM media_usage_counts WHERE media_id = $1', [item])).length;

describe('the counts of usage', () => {
  beforeEach(async () => {
    await media.ctx.db.query('DELETE FROM media_usage_entries');
    await insert(media.ctx.db, 'posts', { e1: ['a', 'b'], e2: ['a', '-c'], e3: ['a'] });
    await insert(media.ctx.db, 'pages', { e1: ['a', 'c'] });
  });

  it.each([
    ['new sources', ''],
    ['deleted entries', `DELETE FROM media_usage_entries WHERE content_id IN ('e1', 'e3')`],
    ['deleted sources', `DELETE FROM media_usage_sources WHERE media_id = 'b'`],
    ['sources that count from now on, or no longer', 'UPDATE media_usage_sources SET counts = NOT counts'],
    ['sources of other items', `UPDATE media_usage_sources SET media_id = 'd' WHERE media_id = 'a'`],
    ['a truncated table', 'TRUNCATE media_usage_sources'],
  ])('are those of the counted sources after %s', async (_, statement) => {
    if (statement !== '') await media.ctx.db.query(statement);
    expect(await stored(media.ctx.db)).toEqual(await counted(media.ctx.db));
  });

  it('have one row for each item and collection, and none for items without uses', async () => {
    expect([await rowsOf('a'), await rowsOf('b')]).toEqual([2, 1]);
    await media.ctx.db.query(`DELETE FROM media_usage_entries WHERE content_id = 'e1'`);
    expect([await rowsOf('a'), await rowsOf('b')]).toEqual([1, 0]);
  });

  it('are those of a snapshot while concurrent transactions use the same item, of which none waits', async () => {
    const { db } = media.ctx;
    await db.transaction(async (first) => {
      await insert(first, 'posts', { e4: ['a'] });
      await db.transaction(async (second) => {
        await second.query(`SET LOCAL lock_timeout = '1s'`);
        await insert(second, 'posts', { e5: ['a', 'b'] });
        await second.query(`DELETE FROM media_usage_entries WHERE collection_id = 'pages'`);
        for (const sql of [first, second, db]) expect(await stored(sql)).toEqual(await counted(sql));
      });
      expect(await stored(first)).toEqual(await counted(first));
    });
    expect(await stored(db)).toEqual(await counted(db));
    // The next statement adds what the concurrent ones left.
    expect(await rowsOf('a')).toBe(2);
    await insert(db, 'posts', { e6: ['a'] });
    expect(await rowsOf('a')).toBe(1);
    expect(await stored(db)).toEqual(await counted(db));
  });
});

it('a site with sources of a former version counts them', async () => {
  const index = mediaTables.tenant.indexOf(usageCountersMigration);
  const former = { tenant: mediaTables.tenant.slice(0, index), shared: [] };
  const { ctx, close } = await openServiceTenant('spec-of-former-usage', 'spec-of-former-usage', former, []);
  await insert(ctx.db, 'posts', { e1: ['a', 'b'], e2: ['a', '-c'] });
  await ctx.db.transaction((tx) => usageCountersMigration.up(tx));
  expect(await stored(ctx.db)).toEqual([
    { item: 'a', collection: 'posts', entries: 2 },
    { item: 'b', collection: 'posts', entries: 1 },
  ]);
  await close();
});
