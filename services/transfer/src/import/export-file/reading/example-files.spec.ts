import { beforeAll, describe, expect, it } from '@jest/globals';
import { exampleFile, groundTruth, inChunks, itemsOf, readAll } from '../export-files.fixture.js';
import {
  assignmentsOf,
  contentKindOf,
  declaredMenu,
  declaredTerm,
  menuItemOf,
  normaliseEncoding,
  OffsetSamples,
  parseItem,
  readExport,
  sourceDates,
  sourceSlug,
  targetStatus,
  type ExportEvent,
  type ExportItem,
  type Namespaces,
} from '../index.js';

const now = new Date('2026-01-01T00:00:00Z');

function countBy<Entry>(entries: Iterable<Entry>, keyOf: (entry: Entry) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const entry of entries) counts[keyOf(entry)] = (counts[keyOf(entry)] ?? 0) + 1;
  return counts;
}

/** The ground truth sums up the keys of embedded pages, which contain hashes. */
const countedKey = (key: string) => (key.startsWith('_oembed_') ? '_oembed_*' : key);

/** The ground truth lists items without a type separately; they are posts. */
function withPostsAdded(counts: Record<string, number>): Record<string, number> {
  const added: Record<string, number> = {};
  for (const [key, count] of Object.entries(counts)) {
    const type = key.replace('(none)', 'post');
    added[type] = (added[type] ?? 0) + count;
  }
  return added;
}

describe.each(Object.entries(groundTruth))('%s', (name, expected) => {
  let events: ExportEvent[];
  let items: ExportItem[];

  beforeAll(async () => {
    events = await readAll(exampleFile(name));
    items = itemsOf(events);
  });

  it('has the channel of the file', () => {
    const [channel, ...others] = events.flatMap((event) => (event.type === 'channel' ? [event.channel] : []));
    expect(others).toEqual([]);
    expect(channel).toMatchObject({
      version: expected.wxrVersion,
      language: expected.language,
      title: expected.siteTitle,
      baseBlogUrl: expected.baseBlogUrl,
    });
  });

  it('has every item with its type, status and author', () => {
    expect(items).toHaveLength(expected.items);
    expect(countBy(items, ({ type }) => type)).toEqual(withPostsAdded(expected.byType));
    expect(countBy(items, ({ type, status }) => `${type}/${status}`)).toEqual(
      withPostsAdded(expected.byTypeStatus),
    );
    expect(countBy(items, ({ creator }) => creator ?? '(none)')).toEqual(expected.creatorsUsed);
    expect(events.filter(({ type }) => type === 'broken-item')).toEqual([]);
  });

  it('has every declared author and term', () => {
    const terms = events.flatMap((event) => (event.type === 'term' ? [event.term] : []));
    const declared: Record<string, number> = { ...expected.termsDeclared };
    declared.category = (declared.category ?? 0) + expected.categoriesDeclared;
    declared.post_tag = (declared.post_tag ?? 0) + expected.tagsDeclared;
    const filled = Object.fromEntries(Object.entries(declared).filter(([, count]) => count > 0));
    expect(countBy(terms, ({ taxonomy }) => taxonomy)).toEqual(filled);
    expect(events.filter(({ type }) => type === 'author')).toHaveLength(expected.authorsDeclared);
  });

  it('has every assignment, meta value and comment', () => {
    const meta = items.flatMap((item) => item.meta);
    const comments = items.flatMap((item) => item.comments);
    const terms = items.flatMap((item) => item.terms);
    expect(countBy(terms, ({ domain }) => domain ?? '(none)')).toEqual(expected.assignments);
    expect(meta).toHaveLength(expected.postmeta);
    expect(countBy(meta, ({ key }) => countedKey(key))).toEqual(expected.postmetaKeys);
    expect(comments).toHaveLength(expected.comments);
    expect(countBy(comments, ({ approved }) => approved)).toEqual(expected.commentsByStatus);
    expect(comments.filter(({ parentId }) => parentId !== 0)).toHaveLength(expected.commentsNested);
  });

  it('has the fields of the items', () => {
    const count = (isCounted: (item: ExportItem) => boolean) => items.filter(isCounted).length;
    expect({
      sticky: count(({ isSticky }) => isSticky),
      withPassword: count(({ password }) => password !== ''),
      emptyTitle: count(({ title }) => title.trim() === ''),
      emptyPostName: count(({ slug }) => slug === ''),
      withParent: count(({ parentId }) => parentId !== 0),
      attachmentsWithUrl: count(({ type, attachmentUrl }) => type === 'attachment' && attachmentUrl !== null),
    }).toEqual({
      sticky: expected.sticky,
      withPassword: expected.withPassword,
      emptyTitle: expected.emptyTitle,
      emptyPostName: expected.emptyPostName,
      withParent: expected.withParent,
      attachmentsWithUrl: expected.attachmentsWithUrl,
    });
  });

  it('gives the expected entries, statuses, terms and menus', () => {
    const offsets = new OffsetSamples();
    for (const { date, dateGmt } of items) offsets.add(date, dateGmt);
    const entries = items
      .filter(({ type }) => contentKindOf(type) === 'entry')
      .map((item) => ({ item, ...targetStatus(item, sourceDates(item, offsets).publishedAt, now) }))
      .filter(({ status }) => status !== 'skipped');
    expect(countBy(entries, ({ item }) => item.type)).toEqual(expected.expected.entriesByType);
    expect(countBy(entries, ({ status }) => status)).toEqual(expected.expected.entriesByStatus);
    expect(entries.filter(({ item }) => sourceSlug(item) === null)).toEqual([]);
    expect(items.filter(({ type }) => contentKindOf(type) === 'section')).toHaveLength(
      expected.expected.sections,
    );

    const declared = events.flatMap((event) =>
      event.type === 'term' ? (declaredTerm(event.term) ?? []) : [],
    );
    const assigned = entries.flatMap(({ item }) => assignmentsOf(item));
    const terms = new Set(
      [...declared, ...assigned].map((term) => `${term.sourceTaxonomy}/${term.slug ?? term.name}`),
    );
    expect(countBy(terms, (term) => term.split('/')[0] ?? '')).toEqual(expected.expected.terms);

    const menuItems = items.flatMap((item) => menuItemOf(item) ?? []).filter(({ menu }) => menu !== null);
    expect(countBy(menuItems, ({ menu }) => menu ?? '')).toEqual(expected.menus);
    const menus = new Set(
      events.flatMap((event) => (event.type === 'term' ? (declaredMenu(event.term)?.slug ?? []) : [])),
    );
    expect(menuItems.filter(({ menu }) => !menus.has(menu ?? ''))).toEqual([]);
  });

  it('reads each item again by its offset and length', () => {
    const bytes = exampleFile(name);
    const [namespaces = {}] = events.flatMap((event) =>
      event.type === 'channel' ? [event.channel.namespaces] : [],
    );
    const stored = JSON.parse(JSON.stringify(namespaces)) as Namespaces;
    for (const event of events) {
      if (event.type !== 'item') continue;
      const part = bytes.subarray(event.offset, event.offset + event.length);
      expect(parseItem(part, stored)).toEqual(event.item);
      expect(event.line).toBe(bytes.subarray(0, event.offset).toString('latin1').split('\n').length);
    }
  });

  it('gives the same events for any size of chunks', async () => {
    const bytes = exampleFile(name);
    for (const chunkSize of [7, bytes.length]) expect(await readAll(bytes, { chunkSize })).toEqual(events);
  });
});

it('gives the same events of edge-cases.xml byte by byte, also through the normalised encoding', async () => {
  const bytes = exampleFile('edge-cases.xml');
  const events: ExportEvent[] = [];
  for await (const event of readExport(normaliseEncoding(inChunks(bytes, 1)))) events.push(event);
  expect(events).toEqual(await readAll(bytes));
});
