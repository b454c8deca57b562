import { describe, expect, it } from '@jest/globals';
import { useSite, type Client } from '@quire/testing';
import { exportOf, posts, type SourceItem } from './export-builder.js';
import {
  analyze,
  dataOf,
  entriesIn,
  execute,
  importFile,
  importsPath,
  parentsOf,
  preparePath,
  type AnalysedType,
} from './support.js';

const site = useSite({ lifetime: 'test' });
const mapping = { postTypeMappings: { page: { collection: 'pages' } } };
const page = (id: number, parent = 0, more: Partial<SourceItem> = {}): SourceItem => ({
  id,
  type: 'page',
  parent,
  ...more,
});
const run = async (admin: Client, items: readonly SourceItem[]) =>
  dataOf(await execute(admin, exportOf(items), mapping));

/** The pages as "slug<slug of the parent", in the order of their slugs. */
async function tree(admin: Client): Promise<string[]> {
  const pages = await entriesIn(admin, 'pages');
  const slugs = new Map(pages.map(({ id, slug }) => [id, slug]));
  const places = pages.map(async (entry) =>
    [entry.slug, ...(await parentsOf(admin, entry)).map((id) => slugs.get(id))].join('<'),
  );
  return (await Promise.all(places)).sort();
}
const warningsOf = ({ warnings }: { warnings: { legacyId: string; code: string }[] }) =>
  warnings.map(({ legacyId, code }) => `${legacyId} ${code}`);

/** The types of an export that have a field for parents. */
async function typesWithParents(items: readonly SourceItem[]): Promise<string[]> {
  const { postTypes } = dataOf(await analyze(await site.as('admin'), exportOf(items)));
  const types = postTypes as AnalysedType[];
  return types
    .filter(({ requiredFields }) => requiredFields.some(({ slug }) => slug === 'parent'))
    .map(({ name }) => name);
}

describe('the analysis of an export with parents', () => {
  it('requires a field for parents of types with an item below another, in any order', async () => {
    const items = [page(1), page(2, 1), { id: 3, type: 'doc', parent: 4 }, { id: 4, type: 'doc' }];
    expect((await typesWithParents(items)).sort()).toEqual(['doc', 'page']);
  });

  it('requires none where parents are missing, of another type, or the item itself', async () => {
    const items = [page(1, 9), page(2, 2), { id: 3, type: 'book', parent: 1 }, { id: 4, parent: 3 }];
    expect(await typesWithParents(items)).toEqual([]);
  });
});

describe('an import of pages with parents (contract 1.4, Order)', () => {
  const items = [page(1, 3), page(2), page(3, 2), page(4, 9)];

  it('links each page to its parent, and changes nothing when it is repeated', async () => {
    const admin = await site.as('admin');
    expect(warningsOf(await importFile(admin, exportOf(items)))).toEqual(['4 PARENT_MISSING']);
    const places = ['item-1<item-3', 'item-2', 'item-3<item-2', 'item-4'];
    expect(await tree(admin)).toEqual(places);
    const before = await entriesIn(admin, 'pages');
    expect(await run(admin, items)).toMatchObject({ imported: 0, updated: 0, skipped: 4, warnings: [] });
    expect([await tree(admin), await entriesIn(admin, 'pages')]).toEqual([places, before]);
  });

  it('needs only the default fields of pages', async () => {
    const admin = await site.as('admin');
    const postTypes = [{ name: 'page', collection: 'pages', enabled: true }];
    dataOf(await admin.post(preparePath, { postTypes }));
    await run(admin, items);
    expect(await tree(admin)).toContain('item-1<item-3');
  });

  it('links to a page of an earlier part of the export', async () => {
    const admin = await site.as('admin');
    await importFile(admin, exportOf([page(1), page(2, 1)]));
    expect(warningsOf(await run(admin, [page(3, 1)]))).toEqual([]);
    expect(await tree(admin)).toEqual(['item-1', 'item-2<item-1', 'item-3<item-1']);
  });

  it('moves pages with their sources, but not those that a user has edited', async () => {
    const admin = await site.as('admin');
    await importFile(admin, exportOf([page(1), page(2), page(3, 1), page(4, 1), page(5, 1)]));
    const chosen = (await entriesIn(admin, 'pages')).find(({ slug }) => slug === 'item-2');
    const references = { parent: [chosen?.id] };
    expect((await admin.put('/content/pages/item-5', { references })).status).toBe(200);
    expect((await admin.post('/content/pages/item-5/publish')).status).toBe(200);
    const summary = await run(admin, [page(1), page(2), page(3, 2), page(4), page(5)]);
    expect([summary.updated, summary.skipped]).toEqual([2, 3]);
    expect(await tree(admin)).toEqual(['item-1', 'item-2', 'item-3<item-2', 'item-4', 'item-5<item-2']);
  });

  it('leaves a field of another type in its place as it is', async () => {
    const admin = await site.as('admin');
    await site.collection({ slug: 'pages', fields: [{ slug: 'parent', type: 'string' }] });
    const summary = await importFile(admin, exportOf(items));
    expect([summary.imported, warningsOf(summary)]).toEqual([4, ['4 PARENT_MISSING']]);
    expect((await entriesIn(admin, 'pages')).filter(({ data }) => 'parent' in data)).toEqual([]);
  });

  it('is undone as a whole', async () => {
    const admin = await site.as('admin');
    const { importId } = await importFile(admin, exportOf(items));
    const { data } = await admin.post(`${importsPath}/${importId}/undo`);
    expect(data).toEqual({ deleted: { entry: 4 }, kept: {} });
    expect(dataOf(await admin.get('/relations?collection=pages')).relations).toMatchObject([
      { slug: 'pages_parent', linkCount: 0 },
    ]);
  });

  it('links more pages than one step takes', async () => {
    const admin = await site.as('admin');
    const children = posts(2, 450, { type: 'page', parent: 1 });
    await importFile(admin, exportOf([...children, page(1)]));
    const { relations } = dataOf(await admin.get('/relations?collection=pages'));
    expect(relations).toMatchObject([{ linkCount: children.length }]);
  });
});
