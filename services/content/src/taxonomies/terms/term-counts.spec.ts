import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openServiceTenant, rowsRead, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { createCollections, importDeps } from '../../import/testing/import-setup.js';
import { contentTables } from '../../migrations/index.js';
import { countEntriesByTerm } from './term-counts.repository.js';

const entries = 2000;
let content: ServiceTenant;
const counts = async (...groups: string[]) =>
  Object.fromEntries(await countEntriesByTerm(content.ctx.db, groups));

/**
 * Every post has the term `common`, the first four have `rare`, and one note has both. No collection has the taxonomy.
 */
beforeAll(async () => {
  content = await openServiceTenant('spec-of-term-counts', 'content', contentTables, contentEntities);
  await createCollections(content.ctx, importDeps());
  const { db } = content.ctx;
  for (const [collection, prefix, count] of [
    ['posts', 'p', entries],
    ['notes', 'n', 1],
  ] as const)
    await db.query(
      `INSERT INTO content_${collection} (id, slug, _locale, _translation_group, title, status)
       SELECT '${prefix}' || n, 's' || n, 'en', '${prefix}' || n, 'Title', 'published' FROM generate_series(1, ${count}) n`,
    );
  await db.query(`UPDATE taxonomies SET collections = '{}'`);
  await db.query(
    `INSERT INTO term_groups (id, taxonomy_id, sort_order)
     SELECT term, t.id, 1 FROM unnest('{common,rare,unused}'::text[]) term, taxonomies t WHERE t.name = 'tag'`,
  );
  await db.query(
    `INSERT INTO entry_terms (entry_group, term_group, collection)
     SELECT 'p' || n, 'common', 'posts' FROM generate_series(1, ${entries}) n
     UNION ALL SELECT 'p' || n, 'rare', 'posts' FROM generate_series(1, 4) n
     UNION ALL SELECT 'n1', term, 'notes' FROM unnest('{common,rare}'::text[]) term`,
  );
  await db.query('ANALYZE entry_terms, content_posts, content_notes');
});
afterAll(() => content.close());

it('counts are those of all collections, also of one that the taxonomy is not for any more', async () => {
  expect(await counts('common', 'rare', 'unused')).toEqual({ common: entries + 1, rare: 5 });
});

it('count an entry once, while one of its translations is published and not in the trash', async () => {
  const { db } = content.ctx;
  await db.query(
    `INSERT INTO content_posts (id, slug, _locale, _translation_group, title, status)
     VALUES ('de1', 'de1', 'de', 'p1', 'Titel', 'published')`,
  );
  expect(await counts('rare')).toEqual({ rare: 5 });
  await db.query(`UPDATE content_posts SET status = 'draft' WHERE id IN ('p1', 'p2')`);
  expect(await counts('rare')).toEqual({ rare: 4 });
  await db.query(`UPDATE content_posts SET deleted_at = now() WHERE id IN ('de1', 'p3')`);
  expect(await counts('rare')).toEqual({ rare: 2 });
});

it('the count of a term reads only its assignments, besides the first one of each collection', async () => {
  const read = await rowsRead(content.ctx.db, 'entry_terms', (sql) => countEntriesByTerm(sql, ['rare']));
  expect(read).toBe(5 + 2);
});
