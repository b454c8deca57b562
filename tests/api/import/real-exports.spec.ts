import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, useSite, walkPages, type ApiResponse, type Client } from '@quire/testing';
import { assignmentsOf, itemsByType, sum, type Counts } from './expected-counts.js';
import {
  allBylines,
  allComments,
  allEntries,
  allMappings,
  allMenus,
  allSections,
  allTerms,
  collectionSlugs,
  dataOf,
  exampleFile,
  exampleNames,
  execute,
  groundTruth,
  parentsOf,
  prepareFor,
  type AnalysedType,
  type Entry,
  type ExampleName,
} from './support.js';

type ListedImport = { id: string; state: string; progress: { done: number; total: number } };
type ItemCounts = { items: number; imported: number; updated: number; skipped: number; failed: number };

const countBy = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Counts => {
  const counts: Counts = {};
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1;
  return counts;
};
const renamed = (counts: Counts, nameOf: (name: string) => string): Counts =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [nameOf(name), count]));

/** Names that a source's taxonomy and a type without a name get. */
const taxonomyName = (name: string) => (name === 'post_tag' ? 'tag' : name.replaceAll('-', '_'));

/** Everything that an import can leave, as the API returns it, with the validator of each entry. */
async function readSite(admin: Client) {
  const entries = await allEntries(admin);
  const revs = await Promise.all(
    Object.values(entries)
      .flat()
      .filter(({ status }) => status !== 'trashed')
      .map(async ({ type, id }) => [id, (await admin.get(`/content/${type}/${id}`)).data._rev as string]),
  );
  return {
    entries,
    revs: Object.fromEntries(revs) as Record<string, string>,
    terms: await allTerms(admin),
    comments: await allComments(admin),
    menus: await allMenus(admin),
    sections: await allSections(admin),
    bylines: await allBylines(admin),
  };
}

async function listByTool(admin: Client, collection: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const { data } = await callTool(admin, 'content_list', { collection, limit: 50, cursor });
    ids.push(...data.items.map(({ id }: { id: string }) => id));
    cursor = data.nextCursor;
  } while (cursor !== undefined);
  return ids.sort();
}

type SiteState = Awaited<ReturnType<typeof readSite>>;

describe.each(exampleNames)('an import of %s', (name) => {
  const site = useSite();
  let admin: Client;
  let postTypes: AnalysedType[];
  let summary: ApiResponse['data'];
  let repeated: ApiResponse['data'];
  let state: SiteState;
  let laterState: SiteState;

  beforeAll(async () => {
    admin = await site.as('admin');
    const file = exampleFile(name);
    const analysis = await prepareFor(admin, file);
    postTypes = analysis.postTypes;
    const config = { postTypeMappings: allMappings(analysis) };
    summary = dataOf(await execute(admin, file, config));
    state = await readSite(admin);
    repeated = dataOf(await execute(admin, file, config));
    laterState = await readSite(admin);
  });

  it('leaves exactly the entries, terms, sections, comments, menus and bylines of the file', () => {
    expectContents(name, postTypes, state);
  });

  it('links exactly the entries whose items have a parent of their type, and warns of missing parents', async () => {
    const entries = Object.values(state.entries)
      .flat()
      .filter(({ status }) => status !== 'trashed');
    const linked = await Promise.all(entries.map((entry) => parentsOf(admin, entry)));
    expect(linked.flat()).toHaveLength(linkedEntries[name] ?? 0);
    const orphans = (summary.warnings as { code: string; postType: string }[]).filter(
      ({ code, postType }) => code === 'PARENT_MISSING' && postTypes.some((type) => type.name === postType),
    );
    expect(orphans).toHaveLength(name === 'edge-cases.xml' ? 1 : 0);
  });

  it('leaves entries that the tools of the MCP server list too', () => expectToolLists(admin, state.entries));

  it('returns a summary with the numbers of what it has left', () => {
    expectSummary(name, summary);
    expectBalanced(name, postTypes, summary);
    expect(summary.mediaReferences).toBe(mediaReferencesIn(Object.values(state.entries).flat()));
    const items = state.menus.map((menu) => menu.items.length as number);
    const leftOut = (summary.warnings as { code: string }[]).filter(
      ({ code }) => code === 'MENU_ITEM_SKIPPED',
    );
    expect(summary.menus.items).toBe(sum(items));
    expect(sum(items) + leftOut.length).toBe(sum(Object.values(groundTruth[name].menus)));
  });

  it('changes nothing when it is repeated, and its summary shows that', () => {
    expect(laterState).toEqual(state);
    expectNothingDone(name, summary, repeated);
    expectBalanced(name, postTypes, repeated);
  });

  it('is listed with the repeated one', async () => {
    const imports = await walkPages<ListedImport>(admin, '/import/legacy/imports?limit=1');
    const items = sum(Object.values(itemsByType(name)));
    const progress = { done: items, total: items };
    expect(imports.map(({ id, state: last, progress: done }) => [id, last, done])).toEqual([
      [repeated.importId, 'complete', progress],
      [summary.importId, 'complete', progress],
    ]);
  });
});

/** What the site has, against the counts that were taken from the XML. */
function expectContents(name: ExampleName, postTypes: AnalysedType[], state: SiteState): void {
  const { expected } = groundTruth[name];
  const collectionOf = new Map(postTypes.map((type) => [type.name, type.suggestedCollection]));
  const entries = Object.values(state.entries).flat();
  expect(countBy(entries, ({ type }) => type)).toEqual(
    renamed(expected.entriesByType, (type) => collectionOf.get(type) ?? `unmapped ${type}`),
  );
  expect(countBy(entries, ({ status }) => status)).toEqual(expected.entriesByStatus);
  const terms = Object.entries(state.terms).map(([taxonomy, list]) => [taxonomy, list.length]);
  expect(Object.fromEntries(terms)).toEqual(renamed(expected.terms, taxonomyName));
  expect(state.sections.map(({ source }) => source)).toEqual(Array(expected.sections).fill('import'));
  expect(state.comments).toHaveLength(expected.comments);
  expect(state.menus).toHaveLength(expected.menusWithItems);
  expect(state.bylines).toHaveLength(expected.bylines);
  const credited = entries.filter(({ bylines = [] }) => bylines.length === 1);
  expect(entries.length - credited.length).toBe(uncredited[name] ?? 0);
}

/** Items with a parent of their own type; parents of attachments, menu items and variations are of other types. */
const linkedEntries: Partial<Record<ExampleName, number>> = {
  'wxr11-small.xml': 1,
  'ja-classic.xml': 11,
  'edge-cases.xml': 1,
};

/** Entries whose item names no author. */
const uncredited: Partial<Record<ExampleName, number>> = { 'edge-cases.xml': 1 };

/** The images, files, players, posters and backgrounds in rich text, and the featured images of entries. */
function mediaReferencesIn(entries: readonly Entry[]): number {
  const referencesIn = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0;
    const { _type, provider, poster, backgroundImage, backgroundVideo } = value as Record<string, unknown>;
    const isPlayer = _type === 'embed' && ['video', 'audio'].includes(provider as string);
    const isMedia = isPlayer || _type === 'image' || _type === 'file';
    const addresses = [poster, backgroundImage, backgroundVideo].filter((address) => address !== undefined);
    return (isMedia ? 1 : 0) + addresses.length + sum(Object.values(value).map(referencesIn));
  };
  return sum(entries.map(({ data }) => referencesIn(data.content) + (data.featured_image ? 1 : 0)));
}

/** The tools of the MCP server list the same entries. */
async function expectToolLists(admin: Client, entries: Record<string, Entry[]>): Promise<void> {
  for (const collection of await collectionSlugs(admin)) {
    const present = (entries[collection] ?? []).filter(({ status }) => status !== 'trashed');
    expect([collection, await listByTool(admin, collection)]).toEqual([
      collection,
      present.map(({ id }) => id).sort(),
    ]);
  }
}

function expectSummary(name: ExampleName, summary: ApiResponse['data']): void {
  const { expected, comments } = groundTruth[name];
  const total = sum(Object.values(expected.entriesByType));
  const skipped = sum(Object.values(expected.skippedStatuses));
  expect(summary).toMatchObject({
    success: true,
    imported: total,
    updated: 0,
    skipped,
    failed: 0,
    errors: [],
    sections: { created: expected.sections, skipped: 0 },
    comments: { imported: expected.comments, skipped: comments - expected.comments },
    taxonomies: {
      termsCreated: renamed(expected.terms, taxonomyName),
      termsReused: {},
      assignments: assignmentsOf(name),
      missingTaxonomies: [],
    },
  });
  expect(summary.menus.created).toBe(expected.menusWithItems);
  expect(sum(Object.values(summary.byCollection))).toBe(total);
}

/** Of each type: imported, updated, skipped and failed items are all items. */
function expectBalanced(name: ExampleName, postTypes: AnalysedType[], summary: ApiResponse['data']): void {
  const byType = summary.byType as Record<string, ItemCounts>;
  const items = Object.entries(byType).map(([type, counts]) => [type, counts.items]);
  expect(Object.fromEntries(items)).toEqual(itemsByType(name));
  for (const [type, { items, imported, updated, skipped, failed }] of Object.entries(byType))
    expect([type, imported + updated + skipped + failed]).toEqual([type, items]);
  for (const state of ['imported', 'updated', 'skipped', 'failed'] as const) {
    const ofContent = postTypes.map((type) => byType[type.name]?.[state] ?? Number.NaN);
    expect([state, sum(ofContent)]).toEqual([state, summary[state]]);
  }
}

function expectNothingDone(
  name: ExampleName,
  first: ApiResponse['data'],
  repeated: ApiResponse['data'],
): void {
  const { expected, comments } = groundTruth[name];
  expect(repeated).toMatchObject({
    success: true,
    imported: 0,
    updated: 0,
    skipped: first.imported + first.skipped,
    failed: 0,
    byCollection: {},
    sections: { created: 0, skipped: expected.sections },
    comments: { imported: 0, skipped: comments },
    menus: { created: 0, items: 0 },
    taxonomies: {
      termsCreated: {},
      termsReused: renamed(expected.terms, taxonomyName),
      assignments: 0,
    },
  });
}
