import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { encodeCursor, KeysetPage, type Queryable } from '@quire/database';
import { openServiceTenant, rowsRead, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { createCollections, createParentField, importDeps } from '../../import/testing/import-setup.js';
import { contentTables } from '../../migrations/index.js';
import type { CollectionDefinition, RelationSide } from '../../schema/index.js';
import { linkedOrder } from './linked-entries.js';
import { replaceLinks, selectLinkedEntries } from './references.repository.js';

const links = 2000;
let content: ServiceTenant;
let posts: CollectionDefinition;
const deps = importDeps();

/** The posts p1 to p2000, of which the first has links to all, and is linked by all. */
beforeAll(async () => {
  content = await openServiceTenant('spec-of-links', 'content', contentTables, contentEntities);
  await createCollections(content.ctx, deps);
  await createParentField(content.ctx, deps);
  posts = await deps.entries.definitions.get(content.ctx, 'posts');
  const { db } = content.ctx;
  await db.query(
    `INSERT INTO content_posts (id, slug, _locale, _translation_group, title, status)
     SELECT 'p' || n, 's' || n, 'en', 'p' || n, 'Post', 'published' FROM generate_series(1, ${links}) n`,
  );
  for (const [parent, child] of [
    [`'p1'`, `'p' || n`],
    [`'p' || n`, `'p1'`],
  ])
    await db.query(
      `INSERT INTO reference_links (relation_id, parent_group, child_group, sort_order)
       SELECT $1, ${parent}, ${child}, n FROM generate_series(2, ${links}) n`,
      [reference('parent').relationId],
    );
  await db.query('ANALYZE reference_links, content_posts');
});
afterAll(() => content.close());

function reference(side: RelationSide) {
  const [viewed] = posts.references;
  if (!viewed) throw new Error('The collection has no relation');
  return { ...viewed, side };
}

const linksRead = (call: (sql: Queryable) => Promise<unknown>) =>
  rowsRead(content.ctx.db, 'reference_links', call);

it.each([
  ['parent', true, undefined],
  ['parent', true, { value: links / 2, id: 'p1000' }],
  ['parent', false, undefined],
  ['parent', false, { value: links / 2, id: 'p1000' }],
  ['child', true, undefined],
  ['child', true, { value: 0, id: 'p1000' }],
  ['child', false, undefined],
  ['child', false, { value: 0, id: 'p1000' }],
] as const)(
  'a page at the %s end reads no other links (drafts: %s, after %j)',
  async (side, canSeeDrafts, after) => {
    const cursor = after && encodeCursor('scope', after);
    const page = new KeysetPage(linkedOrder(side), 'scope', { cursor, limit: 10 });
    const view = { canSeeDrafts, defaultLocale: 'en' };
    const read = await linksRead((sql) =>
      selectLinkedEntries(sql, posts, reference(side), { id: 'p1', view, page, limit: 10 }),
    );
    expect(read).toBe(11);
  },
);

it('a selected parent with many children gets another one without reading them', async () => {
  const selection = { reference: reference('child'), groups: ['p1'] };
  expect(await linksRead((sql) => replaceLinks(sql, 'new', selection))).toBeLessThanOrEqual(2);
});
