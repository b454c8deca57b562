import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KeysetPage } from '@quire/database';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { contentTables } from '../../migrations/index.js';
import { selectTermGroups } from '../../taxonomies/assignments/index.js';
import {
  addFieldColumn,
  countEntriesOf,
  createContentTable,
  type CollectionDefinition,
} from '../../schema/index.js';
import { authorIdsStatement, selectAuthorIds } from './find-entry.js';
import type { EntryState } from './entry-states.js';
import type { ListFilters } from './list-conditions.js';
import { entryPageStatement, selectEntryPage, trashOrder, trashPageStatement } from './list-entries.js';
import { panelOrderColumn } from './list-order.js';

const table = 'content_lists';
const fields = ['title', 'kind'].map((slug) => ({ slug, type: 'string', indexed: slug === 'kind' }));
const definition = {
  table,
  slug: 'lists',
  statementKey: 'lists 1',
  titleField: 'title',
  columns: fields,
} as unknown as CollectionDefinition;
const limit = 20;
const countedTo = 100;

let content: ServiceTenant;
const sql = (text: string) => content.ctx.db.query<{ id: string }>(text);

/**
 * Of 6,000 entries every hundredth is published, of which every fifth has a draft; ten locales, authors, and texts that
 * make the table long.
 */
beforeAll(async () => {
  content = await openServiceTenant('spec-of-lists', 'content', contentTables, contentEntities);
  await createContentTable(content.ctx.db, table);
  for (const field of definition.columns) await addFieldColumn(content.ctx.db, table, field);
  await sql(`
    INSERT INTO content_lists (id, slug, status, author_id, created_at, updated_at, published_at, scheduled_at, deleted_at,
      _locale, _translation_group, title, kind, _edited_at, draft_revision_id)
    SELECT 'e' || lpad(n::text, 4, '0'), CASE WHEN n % 5 > 0 THEN 's' || md5((n % 3010)::text) END,
      CASE WHEN n % 100 = 0 THEN 'published' WHEN n % 100 = 1 THEN 'scheduled' ELSE 'draft' END,
      CASE WHEN n % 20 = 0 THEN 'few' WHEN n % 7 > 0 THEN 'a' || n % 7 END,
      timestamptz '2025-01-01' + n / 2 * interval '1 minute',
      timestamptz '2025-01-01' + n * 7 % 6000 * interval '1 minute',
      CASE WHEN n % 100 IN (0, 7) THEN timestamptz '2025-01-01' + n / 2 * interval '1 minute' END,
      CASE WHEN n % 100 = 1 THEN timestamptz '2099-01-01' - n % 300 * interval '1 year' + n * interval '1 minute' END,
      CASE WHEN n % 100 = 9 THEN timestamptz '2025-01-01' + n * interval '1 minute' END,
      (ARRAY['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'cs', 'da'])[1 + (n / 10 + n / 100) % 10], 'g' || n,
      'Title ' || n || repeat(' and more text', 60), CASE WHEN n % 600 = 0 THEN 'rare' ELSE 'common' END,
      CASE WHEN n % 3 > 0 THEN timestamptz '2025-01-01' + n * 11 % 6000 * interval '1 minute' END,
      CASE WHEN n % 500 = 0 OR n % 100 = 2 THEN 'r' || n END
    FROM generate_series(1, 6000) n`);
  await sql(
    "INSERT INTO taxonomies (id, name, hierarchical, collections) VALUES ('y', 'topic', false, '{lists}')",
  );
  await sql("INSERT INTO term_groups (id, taxonomy_id, sort_order) VALUES ('half', 'y', 0), ('ten', 'y', 1)");
  await sql("INSERT INTO entry_terms SELECT 'g' || n, 'half', 'lists' FROM generate_series(1, 6000, 2) n");
  await sql("INSERT INTO entry_terms SELECT 'g' || n, 'ten', 'lists' FROM generate_series(11, 110, 10) n");
  await sql(`INSERT INTO terms (id, group_id, taxonomy_id, locale, slug, label)
    VALUES ('1', 'half', 'y', 'en', 'half', 'Half'), ('2', 'half', 'y', 'de', 'hälfte', 'Hälfte'), ('3', 'ten', 'y', 'en', 'ten', 'Ten')`);
  await countEntriesOf(content.ctx.db, table);
  await sql('VACUUM ANALYZE content_lists');
  await sql('ANALYZE entry_terms');
});
afterAll(() => content.close());

interface List extends Partial<ListFilters> {
  orderBy: string;
  order: 'asc' | 'desc';
}
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

function pageOf({ orderBy, order, ...filters }: List, cursor?: string) {
  const column = panelOrderColumn(definition, orderBy, { isTrash: filters.state === 'trash' });
  const { sql: name, key, ...ordered } = column;
  const columns = { ...ordered, column: name, idColumn: 'e.id', direction: order } as const;
  const page = new KeysetPage(columns, 'scope', { cursor, limit });
  return {
    key,
    page,
    filters: {
      termGroups: [],
      bylines: undefined,
      includeInferredBylines: false,
      ...filters,
    } as unknown as ListFilters,
    options: { page, order: column, columns: 'e.*', defaultLocale: 'en', countedTo },
  };
}

/** Reads a page. @returns its ids, total and cursor of the next page */
async function read(list: List, cursor?: string) {
  const { key, page, filters, options } = pageOf(list, cursor);
  const rows = await selectEntryPage(content.ctx.db, definition, filters, {
    ...options,
    columns:
      'e.id, e.created_at AS "createdAt", e.updated_at AS "updatedAt", e.published_at AS "publishedAt", e.slug, e.scheduled_at AS "scheduledAt", e.status, e.kind, e.title, e.deleted_at AS "deletedAt", e._edited_at AS "editedAt"',
  });
  const { items, nextCursor } = page.cut(rows, (row) => ({
    value: (row[key] ?? null) as string | null,
    id: row.id,
  }));
  return { ids: items.map(({ id }) => id), total: rows.length === 0 ? 0 : rows[0]?._total, nextCursor };
}

/** @returns the nodes of the plan of a page. */
async function explain(list: List, cursor?: string): Promise<PlanNode[]> {
  const { filters, options } = pageOf(list, cursor);
  const { text, values } = entryPageStatement(definition, filters, options);
  return nodesOf(text, values);
}

async function nodesOf(text: string, values: unknown[]): Promise<PlanNode[]> {
  const [row] = await content.ctx.db.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values,
  );
  const flat = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flat)];
  const [plan] = row?.['QUERY PLAN'] ?? [];
  if (!plan) throw new Error('no plan');
  return flat(plan.Plan);
}

/** Entries that a plan reads, those that a filter leaves out included. */
const entriesRead = (nodes: PlanNode[]) =>
  nodes
    .filter((node) => node['Relation Name'] === table)
    .reduce(
      (sum, node) =>
        sum + node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)),
      0,
    );
const typesOf = (nodes: PlanNode[]) => nodes.map((node) => node['Node Type']);

/** The cursors of the first pages of a list, and of a page in its second half. */
async function cursorsOf(list: List): Promise<(string | undefined)[]> {
  const cursors: (string | undefined)[] = [undefined];
  for (let page = 0; page < 4; page += 1) {
    const { nextCursor } = await read(list, cursors.at(-1));
    if (nextCursor === undefined) return cursors;
    cursors.push(nextCursor);
  }
  return cursors;
}

const directions = ['asc', 'desc'] as const;
const filtersOfOrders: Partial<ListFilters>[] = [
  {},
  { status: 'published' },
  { status: 'draft' },
  { locale: 'de' },
  { status: 'published', locale: 'DE' },
  { locale: 'xx' },
];
const statesOfOrders: [string, EntryState][] = [
  ['editedAt', 'changed'],
  ['scheduledAt', 'scheduled'],
  ['scheduledAt', 'overdue'],
  ['deletedAt', 'trash'],
];
const cases = ['createdAt', 'updatedAt', 'publishedAt']
  .flatMap((orderBy): Omit<List, 'order'>[] => filtersOfOrders.map((filters) => ({ orderBy, ...filters })))
  .concat(statesOfOrders.map(([orderBy, state]) => ({ orderBy, state })))
  .concat([
    { orderBy: 'editedAt' },
    { orderBy: 'editedAt', status: 'published' },
    { orderBy: 'createdAt', state: 'changed', status: 'published' },

    { orderBy: 'createdAt', authorId: 'few' },
    { orderBy: 'createdAt', authorId: 'few', status: 'published' },
    { orderBy: 'status' },
    { orderBy: 'kind' },
  ])
  .flatMap((list) => directions.map((order): List => ({ ...list, order })));

const seqScan = expect.arrayContaining(['Seq Scan']);

describe('a page of entries', () => {
  it.each(cases)('%j is read from indexes, with no entry that is left out', async (list) => {
    for (const cursor of await cursorsOf(list)) {
      const nodes = await explain(list, cursor);
      expect(typesOf(nodes)).not.toEqual(seqScan);
      // Two pages, which is less than a page and the rows that a filter of a tenth would leave out; and those counted.
      const counted = cursor === undefined ? countedTo + 1 : 0;
      expect(entriesRead(nodes)).toBeLessThanOrEqual(2 * limit + 6 + counted);
    }
  });

  it.each(
    [
      'createdAt',
      'editedAt',
      'updatedAt',
      'publishedAt',
      'scheduledAt',
      'deletedAt',
      'slug',
      'status',
      'kind',
      'title',
    ].flatMap((orderBy) => directions.map((order) => [orderBy, order] as const)),
  )('by %s %s are in order, each once', async (orderBy, order) => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await read({ orderBy, order, locale: 'de' }, cursor);
      seen.push(...page.ids);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const column = panelOrderColumn(definition, orderBy, { isTrash: false }).sql;
    const nulls = order === 'asc' ? 'NULLS FIRST' : 'NULLS LAST';
    const expected = await sql(
      `SELECT id FROM content_lists e WHERE _locale = 'de' AND deleted_at IS NULL ORDER BY ${column} ${order} ${nulls}, id ${order}`,
    );
    expect(seen).toEqual(expected.map(({ id }) => id));
  });

  it.each(
    directions.flatMap((order) =>
      ['slug', 'scheduledAt', 'deletedAt'].map((orderBy) => [orderBy, order] as const),
    ),
  )('by %s %s is not a sort of the collection', async (orderBy, order) => {
    for (const cursor of await cursorsOf({ orderBy, order })) {
      const nodes = await explain({ orderBy, order }, cursor);
      expect(typesOf(nodes)).not.toEqual(seqScan);
      expect(entriesRead(nodes)).toBeLessThan(500);
    }
  });

  it.each(directions)('in a state by another order %s reads only the entries in the state', async (order) => {
    const nodes = await explain({ orderBy: 'editedAt', state: 'scheduled', order });
    expect(typesOf(nodes)).not.toEqual(seqScan);
    expect(entriesRead(nodes)).toBeLessThanOrEqual(60 + countedTo + 1);
  });

  it.each(directions)('by a field without an index %s reads the entries once', async (order) => {
    const list: List = { orderBy: 'title', order };
    const nodes = await explain(list, (await read(list)).nextCursor);
    expect(typesOf(nodes).filter((type) => type === 'Seq Scan')).toHaveLength(1);
  });
});

describe('a list by terms', () => {
  const ofTerms = async (topic: string[]): Promise<Partial<ListFilters>> => ({
    termGroups: await selectTermGroups(content.ctx.db, { topic }),
  });

  it('resolves slugs of any locale, each taxonomy apart', async () => {
    const groups = await selectTermGroups(content.ctx.db, {
      topic: ['hälfte', 'ten', 'none'],
      other: ['half'],
    });
    expect(groups.map((names) => names.sort())).toEqual([['half', 'ten'], []]);
  });

  it.each(directions)('walks the order for a common term, %s', async (order) => {
    const list: List = { orderBy: 'createdAt', order, status: 'draft', ...(await ofTerms(['hälfte'])) };
    const { nextCursor } = await read(list);
    const nodes = await explain(list, nextCursor);
    expect(typesOf(nodes)).not.toEqual(seqScan);
    expect(entriesRead(nodes)).toBeLessThanOrEqual(4 * limit);
  });

  it('begins at a rare term', async () => {
    const list: List = { orderBy: 'createdAt', order: 'desc', status: 'draft', ...(await ofTerms(['ten'])) };
    const nodes = await explain(list);
    expect(typesOf(nodes)).not.toEqual(seqScan);
    expect(entriesRead(nodes)).toBeLessThanOrEqual(2 * 10);
  });

  it.each<[string[], number | null]>([
    [['ten'], 10],
    [['half'], null],
    [['none'], 0],
  ])('has the total of the terms %j', async (topic, total) => {
    const list: List = { orderBy: 'createdAt', order: 'desc', ...(await ofTerms(topic)) };
    expect((await read(list)).total ?? null).toBe(total);
  });

  it('has the total of a common term among few entries', async () => {
    const list: List = {
      orderBy: 'createdAt',
      order: 'desc',
      status: 'scheduled',
      ...(await ofTerms(['half'])),
    };
    expect((await read(list)).total).toBe(60);
  });
});

describe('the authors of a collection', () => {
  it('are each found once', async () => {
    const authors = await selectAuthorIds(content.ctx.db, definition);
    expect(authors).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'few']);
  });

  it('are found without a read of the entries', async () => {
    const nodes = await nodesOf(authorIdsStatement(definition), []);
    expect(typesOf(nodes)).not.toEqual(seqScan);
    expect(entriesRead(nodes)).toBeLessThanOrEqual(8);
  });
});

describe('the trash', () => {
  it('is read in order, without the other entries', async () => {
    const page = new KeysetPage(trashOrder, 'scope', { limit });
    const { text, values } = trashPageStatement(definition, { page, columns: 'e.*', locale: undefined });
    const nodes = await nodesOf(text, values);
    expect(typesOf(nodes)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(Seq Scan|Sort)$/)]));
    expect(entriesRead(nodes)).toBe(limit + 1);
  });
});

describe('the total of a list', () => {
  const total = async (filters: Partial<ListFilters>) =>
    (await read({ orderBy: 'createdAt', order: 'desc', ...filters })).total;

  it.each<[Partial<ListFilters>, number | null]>([
    [{}, null],
    [{ status: 'published' }, 60],
    [{ status: 'published', locale: 'de' }, 6],
    [{ locale: 'de' }, null],
    [{ authorId: 'few', status: 'published' }, 60],
    [{ authorId: 'few' }, null],
    [{ fieldFilters: { kind: 'rare' } }, 10],
    [{ fieldFilters: { kind: 'rare' }, status: 'draft' }, 0],
    [{ fieldFilters: { kind: { gt: 'common' } } }, 10],
    [{ fieldFilters: { kind: 'common' }, status: 'published' }, 50],
    [{ fieldFilters: { kind: 'common' }, status: 'draft' }, null],
    [{ bylines: 'none', status: 'published' }, 60],
    [{ bylines: 'none' }, null],
    [{ status: 'published', q: 'Title 100' }, 2],
    [{ q: 'Title 100' }, null],
    [{ dateField: 'createdAt', dateTo: '2025-01-01T00:49:00Z' }, 98],
    [{ dateField: 'createdAt', dateTo: '2025-01-01T00:50:00Z' }, 100],
    [{ dateField: 'createdAt', dateTo: '2025-01-01T00:51:00Z' }, null],
    [{ dateField: 'publishedAt', dateFrom: '2025-01-01T00:00:00Z', status: 'published' }, 60],
    [{ bylines: { groups: ['nobody'], userIds: [] } }, 0],
    [{ state: 'changed', status: 'published' }, 12],
    [{ state: 'changed', locale: 'de' }, 0],
    [{ state: 'scheduled' }, 60],
    [{ state: 'overdue' }, 40],
    [{ state: 'overdue', locale: 'en' }, 4],
    [{ state: 'trash' }, 60],
    [{ state: 'trash', status: 'published' }, 0],
  ])('%j is %j', async (filters, expected) => {
    expect((await total(filters)) ?? null).toBe(expected);
  });

  it.each<[Partial<ListFilters>, number | null]>([
    [{}, 5940],
    [{ status: 'draft' }, 5820],
    [{ status: 'published', locale: 'DE' }, 6],
    [{ locale: 'de' }, 594],
    [{ locale: 'xx' }, 0],
    [{ authorId: 'few' }, null],
    [{ status: 'draft', fieldFilters: { kind: 'common' } }, null],
  ])('%j is %j where the entries are counted, without a read of them', async (filters, expected) => {
    const list: List = { orderBy: 'createdAt', order: 'desc', ...filters };
    const { page, options, filters: given } = pageOf(list);
    const counted = { ...definition, isCounted: true };
    const [first] = await selectEntryPage(content.ctx.db, counted, given, options);
    expect(first ? (first._total ?? null) : 0).toBe(expected);
    if (expected === null) return;
    const { text, values } = entryPageStatement(counted, given, { ...options, page });
    expect(entriesRead(await nodesOf(text, values))).toBeLessThanOrEqual(2 * limit + 6);
  });
});
