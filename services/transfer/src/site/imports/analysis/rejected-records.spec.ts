import 'reflect-metadata';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RecordKind } from '@quire/site-package';
import { buildPackage, recordOf, useFixture, type PackageContent, type PackageRecord } from '@quire/testing';
import type { BlockerCode, Plan } from '../plan/plan.js';
import { openAnalyses } from './testing/analyses.fixture.js';
import { siteContent } from './testing/site-content.fixture.js';

const analyses = useFixture(() => openAnalyses('spec-of-rejected-records'));

const { records = {}, media = [] } = siteContent();
const original = (kind: RecordKind) => (records[kind] ?? []) as Record<string, unknown>[];
/** The records of a kind, the first one with other properties. */
const first = (kind: RecordKind, properties: object): PackageRecord[] => {
  const [record, ...rest] = original(kind);
  return [{ ...record, ...properties }, ...rest];
};
/** Copies of the first record of a kind with other properties, with ids in their order. */
const copies = (kind: RecordKind, changes: readonly object[]): PackageRecord[] =>
  changes.map((change, index) => ({ ...original(kind)[0], id: `${kind}-${index}`, ...change }));

const long = 'x'.repeat(2_100);
const [one, two, three] = original('entries');
const valuesOf = (values: object) => ({ values: { ...(one?.['values'] as object), alias: null, ...values } });

/** Records that pass the schema of their kind in part, and that a service or the database would reject or lose. */
const content: PackageContent = {
  media,
  records: {
    ...records,
    settings: ['seo.owner', 'title'].map((key) => ({ ...original('settings')[0], key, value: null })),
    fields: original('fields').map((field) => {
      if (field['slug'] === 'rows') return { ...field, unique: true };
      return field['slug'] === 'price' ? { ...field, slug: 'xmin' } : field;
    }),
    search_collections: [
      recordOf('search_collections', {
        collectionId: 'c',
        tokenizer: 'letters' as never,
        weights: { title: 0 },
      }),
    ],
    media_items: first('media_items', { mimeType: 'image/jpg', storageKey: 'a/b', contentHash: long }),
    bylines: first('bylines', { websiteUrl: 'javascript:alert(1)' }),
    terms: first('terms', { slug: long }),
    entries: [
      { ...one, ...valuesOf({ friends: ['a', 'b"c'], extra: '['.repeat(9_000) + ']'.repeat(9_000) }) },
      { ...two, draftRevisionId: 'rev', slug: long, ...valuesOf({ friends: ['["a"]'] }) },
      three ?? {},
      { ...three, id: 'e.4', translationGroup: 'g-4' },
    ].map((entry) => withoutPrice(entry)),
    sections: first('sections', { id: 's'.repeat(65), title: long }),
    menus: first('menus', { locale: `en${'-aa'.repeat(21)}` }),
    menu_items: first('menu_items', { customUrl: 'javascript:alert(1)' }),
    redirects: copies('redirects', [
      { source: '/café' },
      { source: '/caf%c3%a9' },
      { source: '/a/[x]' },
      { source: '/a/[y]' },
      { source: '@x:99999' },
      { source: '/[a]/[a]' },
      { source: '/b', destination: '//evil.example' },
      { source: '/c', type: 200 },
    ]),
  },
};

/** The field of the price has a slug that no field can have: its values are not checked. */
function withoutPrice(entry: Record<string, unknown>): Record<string, unknown> {
  const { price: _, ...values } = entry['values'] as Record<string, unknown>;
  return { ...entry, values };
}

const constraint = 'value_constraint_violation';
const expected: [BlockerCode, RecordKind, string, object][] = [
  ['record_invalid', 'settings', 'key', { count: 1 }],
  ['record_invalid', 'settings', 'value', { count: 2 }],
  [constraint, 'fields', 'unique', { id: 'f-rows' }],
  [constraint, 'fields', 'slug', { id: 'f-price' }],
  ['record_invalid', 'search_collections', 'tokenizer', { id: 'c' }],
  ['record_invalid', 'search_collections', 'weights', { id: 'c' }],
  [constraint, 'media_items', 'mimeType', { id: 'm1' }],
  [constraint, 'media_items', 'storageKey', { id: 'm1' }],
  [constraint, 'media_items', 'contentHash', { id: 'm1' }],
  [constraint, 'bylines', 'websiteUrl', { id: 'b' }],
  [constraint, 'terms', 'slug', { id: 'term' }],
  [constraint, 'entries', 'values.friends', { id: 'posts/e-1', count: 2 }],
  ['limit_exceeded', 'entries', 'values.extra', { id: 'posts/e-1', count: 1 }],
  [constraint, 'entries', 'slug', { id: 'posts/e-2' }],
  ['dangling_reference', 'entries', 'draftRevisionId', { id: 'posts/e-2', count: 1 }],
  [constraint, 'entries', 'id', { id: 'posts/e.4' }],
  [constraint, 'sections', 'id', { count: 1 }],
  [constraint, 'sections', 'title', { count: 1 }],
  [constraint, 'menus', `locale en${'-aa'.repeat(21)}`, { id: 'menu' }],
  [constraint, 'menu_items', 'customUrl', { id: 'mi' }],
  [constraint, 'redirects', 'source', { id: 'redirects-4', count: 2 }],
  [constraint, 'redirects', 'destination', { id: 'redirects-6', count: 1 }],
  ['record_invalid', 'redirects', 'type', { id: 'redirects-7' }],
  ['unique_violation', 'redirects', 'source', { count: 2 }],
];

describe('analysis of records that the import could not write', () => {
  let plan: Plan;
  beforeAll(async () => {
    plan = await analyses.plan(buildPackage(content));
  });

  it.each(expected)('finds %s in %s: %s', (code, kind, property, more) => {
    expect(plan.blockers).toContainEqual(
      expect.objectContaining({ code, kind, detail: expect.objectContaining({ property }), ...more }),
    );
  });

  it('finds nothing else', () => {
    const found = plan.blockers.map(({ code, kind, detail }) => [code, kind, detail?.['property']].join(' '));
    const known = expected.map(([code, kind, property]) => [code, kind, property].join(' '));
    expect(found.sort()).toEqual(known.sort());
  });
});

describe('analysis of a package beyond the limits of tables', () => {
  const fields = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      recordOf('fields', {
        id: `f-${String(index).padStart(3, '0')}`,
        collectionId: 'c',
        slug: `f${index}`,
        label: 'Field',
        type: 'string',
        defaultValue: null,
      }),
    );
  const menus = (locales: number) =>
    Array.from({ length: locales }, (_, index) => {
      const number = String(index).padStart(3, '0');
      return recordOf('menus', { id: `m-${number}`, name: 'main', locale: `en-${number}` });
    });
  const collections = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      recordOf('collections', {
        id: index === 0 ? 'c' : `c-${String(index).padStart(3, '0')}`,
        slug: `c${index}`,
      }),
    );
  const blockersOf = async (columns: number, locales: number, collectionCount: number) => {
    const sitePackage = buildPackage({
      records: { collections: collections(collectionCount), fields: fields(columns), menus: menus(locales) },
    });
    return (await analyses.plan(sitePackage)).blockers;
  };

  it('finds limit_exceeded in collections, columns and locales', async () => {
    expect(await blockersOf(301, 501, 501)).toMatchObject([
      { code: 'limit_exceeded', kind: 'menus', id: 'm-500', count: 1, detail: { property: 'locale' } },
      { code: 'limit_exceeded', kind: 'collections', count: 501, detail: { property: 'id' } },
      { code: 'limit_exceeded', kind: 'collections', id: 'c', detail: { fields: 301 } },
    ]);
  });

  it('finds no blocker at the limits', async () => {
    expect(await blockersOf(300, 500, 500)).toEqual([]);
  });
});
