import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { contentImportApi, RequestOf } from '@quire/internal-api';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { Locales } from '../../locales/index.js';
import { contentTables } from '../../migrations/index.js';
import { importTerms } from '../terms/index.js';
import { createTitledCollection, importTestEntry, site } from '../testing/import-source.js';
import { importMenu } from './index.js';

type Item = RequestOf<typeof contentImportApi.importMenu>['items'][number];

const locales = new Locales({ defaultLocale: 'en' });
let content: ServiceTenant;

beforeAll(async () => {
  content = await openServiceTenant('spec-of-import-menu', 'content', contentTables, contentEntities);
  for (const slug of ['posts', 'pages', 'events']) await createTitledCollection(content.ctx, slug);
});
afterAll(() => content.close());
beforeEach(async () => {
  for (const table of ['menu_items', 'menus', 'import_records', 'taxonomies'])
    await content.ctx.db.query(`DELETE FROM ${table}`);
});

const run = (items: Item[], { importId = 'i1', name = 'main', label = 'Main', locale = 'en' } = {}) =>
  importMenu(content.ctx, locales, { importId, site, locale, name, label, items });
const item = (id: string, parts: Partial<Item> = {}): Item => ({
  id,
  parentId: null,
  label: `Item ${id}`,
  target: { kind: 'url', url: `/${id}` },
  titleAttr: null,
  newTab: false,
  cssClasses: null,
  ...parts,
});
/** An item below another one: "id>parent". */
const nested = (text: string): Item => {
  const [id = '', parentId = null] = text.split('>');
  return item(id, { parentId });
};
const toEntry = (id: string, url: string | null = null): Item['target'] => ({
  kind: 'entry',
  source: { type: 'post', id },
  url,
});
const stored = () =>
  content.ctx.db.query<Record<string, unknown>>(
    `SELECT i.type, i.reference_collection AS collection, i.reference_id AS reference, i.custom_url AS url, i.label,
       i.target, i.css_classes AS css FROM menu_items i ORDER BY i.sort_order`,
  );
async function tree() {
  const rows = await content.ctx.db.query<{ item: string }>(
    `SELECT replace(i.label, 'Item ', '') || coalesce('>' || replace(p.label, 'Item ', ''), '') AS item
     FROM menu_items i LEFT JOIN menu_items p ON p.id = i.parent_id ORDER BY i.sort_order`,
  );
  return rows.map((row) => row.item);
}

describe('importMenu (contract 2.7)', () => {
  it('creates a menu with its items in order, and records it', async () => {
    const items = [item('b', { newTab: true, cssClasses: 'x y' }), item('a', { cssClasses: '' })];
    expect(await run(items)).toEqual({ outcome: 'created', items: 2, warnings: [] });
    const custom = { type: 'custom', collection: null, reference: null };
    expect(await stored()).toEqual([
      { ...custom, url: '/b', label: 'Item b', target: '_blank', css: 'x y' },
      { ...custom, url: '/a', label: 'Item a', target: null, css: null },
    ]);
    expect(
      await content.ctx.db.query(
        `SELECT m.name, m.label, m.locale, m.id = m.translation_group AS "isOriginal", r.kind, r.import_id AS "importId"
         FROM menus m JOIN import_records r ON r.target_id = m.id`,
      ),
    ).toEqual([
      { name: 'main', label: 'Main', locale: 'en', isOriginal: true, kind: 'menu', importId: 'i1' },
    ]);
  });

  it('makes the name legal', async () => {
    await run([], { name: 'Ménü Über', label: ' ' });
    await run([], { name: '日本' });
    expect(await content.ctx.db.query('SELECT name, label FROM menus ORDER BY name')).toEqual([
      { name: 'menu', label: 'Main' },
      { name: 'menu-uber', label: 'menu-uber' },
    ]);
  });

  it('returns the same result for the same import, and skips the menu of another one and of a user', async () => {
    const items = [item('a'), item('b', { target: toEntry('gone') })];
    const first = await run(items);
    expect(first).toMatchObject({ items: 1, warnings: [{ id: 'b' }] });
    expect(await run(items)).toEqual(first);
    expect(await run(items, { importId: 'i2' })).toEqual({ outcome: 'skipped', items: 0, warnings: [] });
    await content.ctx.db.query('DELETE FROM import_records');
    expect(await run(items)).toMatchObject({ outcome: 'skipped' });
    expect(await tree()).toEqual(['a']);
    expect(await run(items, { locale: 'de' })).toMatchObject({ outcome: 'created' });
  });

  it('creates a menu again that was deleted', async () => {
    await run([item('a')]);
    await content.ctx.db.query('DELETE FROM menus');
    expect(await run([item('a')], { importId: 'i2' })).toMatchObject({ outcome: 'created', items: 1 });
  });

  it('links to imported entries by their translation group, with the title for an empty label', async () => {
    const post = await importTestEntry(content.ctx, '1', { title: 'A post' });
    const page = await importTestEntry(content.ctx, '2', { collection: 'pages' });
    const event = await importTestEntry(content.ctx, '3', { collection: 'events' });
    const items = ['1', '2', '3'].map((id) =>
      item(id, { label: id === '1' ? ' ' : 'Own', target: toEntry(id) }),
    );
    expect(await run(items)).toMatchObject({ items: 3, warnings: [] });
    expect(await stored()).toMatchObject([
      { type: 'post', collection: 'posts', reference: post, url: null, label: 'A post' },
      { type: 'page', collection: 'pages', reference: page, label: 'Own' },
      { type: 'collection', collection: 'events', reference: event },
    ]);
  });

  it('links to terms by their slug', async () => {
    await importTerms(content.ctx, locales, {
      importId: 'i1',
      site,
      locale: 'en',
      step: 'create',
      taxonomies: [{ name: 'genre', label: 'Genres', hierarchical: false, collections: [] }],
      terms: [{ taxonomy: 'genre', slug: 'jazz', label: 'Jazz', description: null, parentSlug: null }],
    });
    const term = (slug: string, url: string | null = null): Item['target'] => ({
      kind: 'term',
      taxonomy: 'Genre',
      slug,
      url,
    });
    const result = await run([
      item('a', { label: '', target: term('jazz') }),
      item('b', { target: term('gone', '/genre/gone') }),
      item('c', { target: term('gone') }),
    ]);
    expect(result).toMatchObject({ items: 2, warnings: [{ id: 'c', code: 'MENU_ITEM_SKIPPED' }] });
    const [group] = await content.ctx.db.query<{ id: string }>('SELECT id FROM term_groups');
    expect(await stored()).toMatchObject([
      { type: 'taxonomy', collection: 'genre', reference: group?.id, label: 'Jazz' },
      { type: 'custom', url: '/genre/gone' },
    ]);
  });

  it('links to the URL of a target that is not here or in the trash, and leaves out unsafe ones', async () => {
    await importTestEntry(content.ctx, '9');
    await content.ctx.db.query('UPDATE content_posts SET deleted_at = now()');
    const unsafe = ['javascript:alert(1)', '//evil.example', '', 'x'.repeat(3_000)];
    const result = await run([
      item('a', { target: toEntry('gone', 'https://x.example/') }),
      item('b', { target: toEntry('9', '/nine'), label: '' }),
      item('c', { target: toEntry('gone', 'javascript:alert(1)') }),
      ...unsafe.map((url, index) => item(`u${index}`, { target: { kind: 'url', url } })),
    ]);
    expect(result.warnings.map(({ id, code }) => `${id} ${code}`)).toEqual(
      ['c', 'u0', 'u1', 'u2', 'u3'].map((id) => `${id} MENU_ITEM_SKIPPED`),
    );
    expect(await stored()).toMatchObject([{ url: 'https://x.example/' }, { url: '/nine', label: '/nine' }]);
  });

  it('nests items below parents that come later; unknown parents and circles are at the top', async () => {
    await run(['b>a', 'a', 'c>gone', 'd>d', 'e>f', 'f>e', 'g>b'].map(nested));
    expect(await tree()).toEqual(['b>a', 'a', 'c', 'd', 'e>f', 'f', 'g>b']);
  });

  it('moves the children of an item that is left out to its parent', async () => {
    const bad: Item = { ...nested('bad>a'), target: { kind: 'url', url: 'data:x' } };
    await run([nested('a'), bad, nested('b>bad'), nested('c>b')]);
    expect(await tree()).toEqual(['a', 'b>a', 'c>b']);
  });

  it('leaves out the items that a menu has no room for', async () => {
    const items = Array.from({ length: 1_002 }, (_, index) => item(String(index)));
    const { items: count, warnings } = await run(items);
    expect([count, warnings.map(({ id }) => id)]).toEqual([1_000, ['1000', '1001']]);
  });

  it('creates one menu in concurrent calls', async () => {
    const results = await Promise.all([run([item('a')]), run([item('a')]), run([item('a')])]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'created']);
    expect(await tree()).toEqual(['a']);
  });
});
