import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cursorScope, KeysetPage, type Queryable } from '@quire/database';
import { eventually, openServiceTenant, type ServiceTenant } from '@quire/testing';
import { mediaEntities } from '../media.module.js';
import { mediaTables } from '../migrations/index.js';
import {
  countItems,
  itemOrder,
  selectItems,
  selectNumberedPage,
  type ItemFilter,
} from './items.repository.js';

const items = 3_000;
const firstPage = { cursor: undefined, limit: 50 };

let media: ServiceTenant;

beforeAll(async () => {
  media = await openServiceTenant('spec-of-item-lists', 'media', mediaTables, mediaEntities);
  const { db } = media.ctx;
  await db.query(
    "INSERT INTO media_folders (id, name, name_key, name_digest) VALUES ('folder', 'Folder', 'folder', 'digest')",
  );
  await db.query(
    `INSERT INTO media_items (id, filename, mime_type, size, storage_key, status, folder_id, caption, created_at)
     SELECT i::text, i || '.png', CASE i % 1000 WHEN 0 THEN 'video/mp4' ELSE 'image/png' END, 1, i::text, 'ready',
       CASE WHEN i % 2 = 0 THEN 'folder' END, repeat('caption', 30), now() - make_interval(mins => (i * 7) % $1)
     FROM generate_series(1, $1) AS i`,
    [items],
  );
  // Plans count on visible pages, which a transaction of another spec can delay.
  await eventually(async () => {
    await db.query('VACUUM ANALYZE media_items');
    const [table] = await db.query<{ isVisible: boolean }>(
      `SELECT relallvisible = relpages AS "isVisible" FROM pg_class WHERE oid = 'media_items'::regclass`,
    );
    return table?.isVisible === true;
  });
});
afterAll(() => media.close());

/** The plan of the statement that a function runs, as text. */
async function planOf(run: (sql: Queryable) => Promise<unknown>): Promise<string> {
  let plan = '';
  const explaining = {
    query: async (statement: string | { text: string; values: unknown[] }, values?: unknown[]) => {
      const { text, values: given } =
        typeof statement === 'string' ? { text: statement, values: values ?? [] } : statement;
      const rows = await media.ctx.db.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (ANALYZE, TIMING OFF) ${text}`,
        given,
      );
      plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      return [];
    },
  } as unknown as Queryable;
  await run(explaining);
  return plan;
}

const list = (filter: ItemFilter) => (sql: Queryable) =>
  selectItems(sql, filter, new KeysetPage(itemOrder, cursorScope({ operation: 'spec' }), firstPage));

describe('statements of lists of media', () => {
  it.each<[string, ItemFilter]>([
    ['all items', {}],
    ['the items of a folder', { folderId: 'folder' }],
    ['the items of the main library', { folderId: 'unfiled' }],
    ['the items of a type', { mimeType: ['video/mp4'] }],
    ['the items of a kind of types', { mimeType: ['video/'] }],
  ])('count %s in an index', async (_, filter) => {
    const plan = await planOf((sql) => countItems(sql, filter));
    expect(plan).toContain('Index Only Scan');
    expect(plan).not.toContain('Seq Scan');
  });

  it('find the items of a late page in an index', async () => {
    const plan = await planOf((sql) => selectNumberedPage(sql, {}, { number: 40, size: 50 }));
    expect(plan).toMatch(/Index Only Scan Backward using media_items_ready .*actual rows=2000/);
  });

  it('find items of rare types without reading all items', async () => {
    for (const type of ['video/mp4', 'video/'])
      expect(await planOf(list({ mimeType: [type] }))).toContain('media_items_ready_of_type');
  });
});
