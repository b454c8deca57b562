import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { importDeps } from '../../import/testing/import-setup.js';
import { contentTables } from '../../migrations/index.js';
import { createContent, deleteContent } from '../../entries/index.js';
import { createField, createFieldBody } from '../../schema/index.js';
import { applySeed, defaultSeed } from '../../site/seed/index.js';
import { clearSiteRecords } from './clear-site-records.js';
import { inspectSiteRecords } from './inspect-site-records.js';

let content: ServiceTenant;
let deps: ReturnType<typeof importDeps>;
beforeEach(async () => {
  deps = importDeps();
  content = await openServiceTenant('spec-of-inspection', 'content', contentTables, contentEntities);
});
afterEach(() => content.close());

const inspect = () => inspectSiteRecords(content.ctx);
const blockers = async () => (await inspect()).blockers;
const query = (statement: string) => content.ctx.db.query(statement);
const seedSite = () => applySeed(content.ctx, deps, { seed: defaultSeed, withEntries: false });

async function scaffoldCounts(): Promise<Record<string, number>> {
  const { scaffold } = await inspect();
  const counts: Record<string, number> = {};
  for (const { kind } of scaffold) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

describe('inspectSiteRecords', () => {
  it('finds nothing in a site without a seed', async () => {
    await query(`INSERT INTO settings (key, value) VALUES ('title', '"Own"')`);
    expect(await inspect()).toEqual({ blockers: [], scaffold: [] });
  });

  it('finds the records of the default seed, with their keys, until they are cleared', async () => {
    await seedSite();
    expect(await blockers()).toEqual([]);
    expect(await scaffoldCounts()).toEqual({
      collections: 2,
      fields: 6,
      taxonomies: 2,
      taxonomy_definitions: 2,
    });
    const collections = await content.ctx.db.query<{ id: string }>('SELECT id FROM collections ORDER BY id');
    const keys = (await inspect()).scaffold.filter(({ kind }) => kind === 'collections');
    expect(keys.map(({ key }) => key).sort()).toEqual(collections.map(({ id }) => id));
    await clearSiteRecords(content.ctx, deps.changes);
    expect(await inspect()).toEqual({ blockers: [], scaffold: [] });
  });

  it('finds a seed that was applied in part', async () => {
    await seedSite();
    await query(`DELETE FROM taxonomies WHERE name = 'tag'`);
    await query(`DELETE FROM fields WHERE slug = 'excerpt'`);
    expect(await blockers()).toEqual([]);
    expect(await scaffoldCounts()).toMatchObject({ fields: 5, taxonomies: 1 });
  });

  it('names the entries of the seed, and those of the trash', async () => {
    await applySeed(content.ctx, deps, { seed: defaultSeed, withEntries: true });
    const entry = { collection: 'posts', data: { title: 'A' } };
    const { item } = await createContent(content.ctx, deps.entries, entry);
    await deleteContent(content.ctx, deps.entries, { collection: 'posts', id: item.id });
    const found = await blockers();
    expect(found).toContainEqual({ kind: 'entries', count: 3 });
    expect(found.map(({ kind }) => kind).sort()).toEqual(['entries', 'revisions']);
  });

  it('names a field that a user added', async () => {
    await seedSite();
    const field = createFieldBody.parse({ slug: 'own', label: 'Own', type: 'string' });
    await createField(content.ctx, deps.changes, { collection: 'posts', field });
    expect(await blockers()).toEqual([{ kind: 'fields', count: 1 }]);
  });

  it.each([
    ['collections', `UPDATE collections SET label = 'News' WHERE slug = 'posts'`],
    ['collections', `UPDATE collections SET sort_order = 1 WHERE slug = 'posts'`],
    ['collections', `UPDATE collections SET comments_enabled = true WHERE slug = 'pages'`],
    ['collections', `UPDATE collections SET source = 'manual' WHERE slug = 'pages'`],
    ['fields', `UPDATE fields SET type = 'string' WHERE slug = 'excerpt'`],
    ['fields', `UPDATE fields SET default_value = '"x"' WHERE slug = 'excerpt'`],
    ['fields', `UPDATE fields SET sort_order = 9 WHERE slug = 'excerpt'`],
    ['taxonomies', `UPDATE taxonomies SET hierarchical = true WHERE name = 'tag'`],
    ['taxonomy_definitions', `UPDATE taxonomy_definitions SET label = 'Topics' WHERE label = 'Tags'`],
    [
      'taxonomy_definitions',
      `INSERT INTO taxonomy_definitions (id, taxonomy_id, locale, label, label_singular)
       SELECT 'other', id, 'de', 'Tags', 'Tag' FROM taxonomies WHERE name = 'tag'`,
    ],
    [
      'term_groups',
      `INSERT INTO term_groups (id, taxonomy_id, sort_order) SELECT 'g', id, 0 FROM taxonomies LIMIT 1`,
    ],
    [
      'menus',
      `INSERT INTO menus (id, name, label, locale, translation_group) VALUES ('m', 'm', 'M', 'en', 'g')`,
    ],
    [
      'block_types',
      `INSERT INTO block_types (id, slug, label, current_version, source) VALUES ('b', 'b', 'B', 1, 'user')`,
    ],
    ['collections', 'CREATE TABLE content_former (id text)'],
  ])('names %s after: %s', async (kind, statement) => {
    await seedSite();
    await query(statement);
    expect(await blockers()).toContainEqual({ kind, count: 1 });
  });
});
