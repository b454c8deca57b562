import { describe, expect, it } from '@jest/globals';
import { isItemFault, parseItem, type Item } from '@quire/import-sources';
import { entryFromSourceItem, type SourceItemContext } from './entry-from-source-item.js';
import { SourceItemIndex } from './source-item-index.js';

const text = (words: string) => ({
  _type: 'block',
  style: 'normal',
  children: [{ _type: 'span', text: words }],
});

function itemOf(change: object = {}): Item {
  const item = parseItem({
    sourceId: 'a-1',
    postType: 'article',
    status: 'publish',
    slug: 'first',
    title: 'First',
    content: [text('Hello')],
    date: '2024-06-01T10:00:00Z',
    ...change,
  });
  if (isItemFault(item)) throw new Error(item.fault);
  return item;
}

const context: SourceItemContext = {
  collection: 'posts',
  fields: new Set(['title', 'content', 'excerpt', 'featured_image', 'price']),
  locale: 'en',
  storedLocale: (locale) => ['en', 'de'].find((known) => known === locale),
  now: new Date('2025-01-01'),
  credit: undefined,
  parentType: 'article',
  anchor: undefined,
};
const convert = (change: object, further: Partial<SourceItemContext> = {}) =>
  entryFromSourceItem(itemOf(change), 7, { ...context, ...further });

describe('SourceItemIndex', () => {
  const index = new SourceItemIndex();
  const first = index.add(itemOf({ author: 'ann', categories: ['News'], tags: ['a', 'A'], parentId: 'p' }));
  const fault = index.add({ fault: 'date: wrong', title: 'Broken', sourceId: 'b' });
  const second = index.add(
    itemOf({
      sourceId: 2,
      author: 'ann',
      categories: ['News'],
      customTaxonomies: { 'shop-brand': ['Acme'] },
    }),
  );

  it('has a row for each author, term, item and fault, each author and term once', () => {
    const rows = [first, fault, second].flatMap((part) => part.rows);
    expect(
      rows.map(({ position, kind, sourceType, sourceId, slug }) => [
        position,
        kind,
        sourceType,
        sourceId ?? slug,
      ]),
    ).toEqual([
      [1, 'author', 'author', 'ann'],
      [2, 'term', 'category', 'news'],
      [3, 'term', 'tag', 'a'],
      [4, 'content', 'article', 'a-1'],
      [5, 'broken', '(broken)', 'b'],
      [6, 'term', 'shop_brand', 'acme'],
      [7, 'content', 'article', '2'],
    ]);
    expect(rows[4]?.facts).toEqual({ reason: 'date: wrong' });
    expect(rows[3]).toMatchObject({ parentId: 'p', facts: { creator: 'ann' }, title: 'First' });
  });

  it('finds each item by its place in the stored lines', () => {
    const stored = Buffer.concat([first, fault, second].map(({ bytes }) => bytes));
    const { offset = 0, length = 0 } = second.rows.at(-1) ?? {};
    expect(parseItem(JSON.parse(stored.subarray(offset, offset + length).toString()))).toMatchObject({
      sourceId: '2',
      customTaxonomies: { 'shop-brand': ['Acme'] },
    });
    expect(stored.length).toBe(offset + length);
  });

  it('knows the taxonomies with the types that use them', () => {
    expect(index.taxonomies).toEqual({
      category: { label: 'Category', hierarchical: false, postTypes: ['article'] },
      tag: { label: 'Post tag', hierarchical: false, postTypes: ['article'] },
      shop_brand: { label: 'Shop brand', hierarchical: false, postTypes: ['article'] },
    });
  });
});

describe('entryFromSourceItem', () => {
  it('puts values into fields, and keeps the rest', () => {
    const change = {
      excerpt: '<p>Short</p>',
      featuredImage: 'https://feed.example/a.jpg',
      meta: { price: 5, colour: 'red', title: 'SEO title' },
      menuOrder: 3,
      content: [text('Hello'), { _type: 'gallery', images: [{ _type: 'image' }, { _type: 'image' }] }],
    };
    const { entry, warnings, mediaReferences } = convert(change);
    expect(entry).toMatchObject({
      source: { type: 'article', id: 'a-1' },
      collection: 'posts',
      slug: 'first',
      title: 'First',
      status: 'published',
      publishedAt: '2024-06-01T10:00:00.000Z',
      createdAt: '2024-06-01T10:00:00.000Z',
      scheduledAt: null,
      locale: 'en',
      failure: null,
    });
    expect(entry.data).toEqual({
      title: 'First',
      content: change.content,
      excerpt: 'Short',
      featured_image: { provider: 'external', id: '', src: 'https://feed.example/a.jpg' },
      price: 5,
    });
    expect(entry.remainder).toEqual({ menuOrder: 3, meta: { colour: 'red', title: 'SEO title' } });
    expect([warnings, mediaReferences]).toEqual([[], 3]);
  });

  it('keeps base values that the collection has no field for', () => {
    const { entry } = convert({ excerpt: 'Short' }, { fields: new Set(['title']) });
    expect(entry.data).toEqual({ title: 'First' });
    expect(entry.remainder).toEqual({ content: [text('Hello')], excerpt: 'Short' });
  });

  it.each([
    ['draft', '2024-06-01', 'draft', []],
    ['pending', '2024-06-01', 'draft', ['STATUS_CHANGED']],
    ['private', '2024-06-01', 'draft', ['STATUS_CHANGED']],
    ['future', '2024-06-01', 'draft', ['STATUS_CHANGED']],
    ['future', '2098-06-01', 'scheduled', []],
  ])('makes %s of %s a %s', (status, date, expected, codes) => {
    const { entry, warnings } = convert({ status, date });
    expect([entry.status, warnings.map(({ code }) => code)]).toEqual([expected, codes]);
    expect(entry.publishedAt).toBeNull();
    expect(entry.scheduledAt).toBe(expected === 'scheduled' ? '2098-06-01T00:00:00.000Z' : null);
  });

  it('assigns terms by slug, each once', () => {
    const { entry } = convert({
      categories: ['Big News', 'big news'],
      tags: ['a'],
      customTaxonomies: { post_format: ['x'] },
    });
    expect(entry.taxonomies).toEqual({ category: ['big-news'], tag: ['a'] });
  });

  it('credits the author, and links parents and translations', () => {
    const anchor = { type: 'article', id: 'a-0' };
    const credit = { bylineId: 'byline', authorId: 'user' };
    const { entry } = convert({ parentId: 'p', locale: 'de' }, { anchor, credit, parentType: 'page' });
    expect(entry).toMatchObject({
      authorId: 'user',
      bylines: ['byline'],
      parent: { type: 'page', id: 'p' },
      locale: 'de',
      translationOf: anchor,
    });
    expect(convert({}, { anchor: { type: 'article', id: 'a-1' } }).entry.translationOf).toBeNull();
  });

  it('warns of unknown locales, and of cleaned titles', () => {
    const { entry, warnings } = convert({ locale: 'xx', title: 'A &amp; B' });
    expect(entry).toMatchObject({ parent: null, locale: 'en', title: 'A & B' });
    expect(warnings.map(({ code }) => code)).toEqual(['TITLE_FIXED', 'LOCALE_UNKNOWN']);
  });

  it('derives missing slugs from the title, else from the place', () => {
    expect(convert({ slug: '', title: 'A title' }).entry.slug).toBe('a-title');
    expect(convert({ slug: '', title: '!?' }).entry.slug).toBe('posts-7');
  });

  it('has a fingerprint that changes with the item and the collection only', () => {
    const { fingerprint } = convert({}).entry;
    expect(convert({}, { now: new Date() }).entry.fingerprint).toBe(fingerprint);
    expect(convert({ title: 'Other' }).entry.fingerprint).not.toBe(fingerprint);
    expect(convert({}, { collection: 'pages' }).entry.fingerprint).not.toBe(fingerprint);
  });
});
