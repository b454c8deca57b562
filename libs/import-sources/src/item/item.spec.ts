import { describe, expect, it } from '@jest/globals';
import { isItemFault, parseItem } from './item.js';

const block = { _type: 'block', style: 'normal', children: [{ _type: 'span', text: 'Text' }] };
const item = {
  sourceId: '7',
  postType: 'post',
  status: 'publish',
  slug: 'a-title',
  title: 'A title',
  content: [block],
  date: '2024-06-01T10:00:00Z',
};

describe('parseItem', () => {
  it('returns a valid item without unknown keys', () => {
    const all = {
      ...item,
      excerpt: 'Short',
      modified: '2024-06-02T10:00:00.000Z',
      author: 'ann',
      categories: ['news'],
      tags: ['a', 'b'],
      customTaxonomies: { genre: ['poem'] },
      meta: { price: 1.5, list: [1, null], nested: { on: true } },
      featuredImage: 'https://site.example/a.jpg',
      parentId: '3',
      menuOrder: 2,
      locale: 'en',
      translationGroup: 'g',
    };
    expect(parseItem({ ...all, unknown: 1 })).toEqual({ ...all, date: '2024-06-01T10:00:00.000Z' });
  });

  it.each([
    [new Date('2024-06-01T10:00:00.5Z'), '2024-06-01T10:00:00.500Z'],
    ['2024-06-01T12:00:00+02:00', '2024-06-01T10:00:00.000Z'],
    ['2024-06-01 10:00:00', '2024-06-01T10:00:00.000Z'],
    ['2024-06-01', '2024-06-01T00:00:00.000Z'],
  ])('reads the date %s', (date, instant) => {
    expect(parseItem({ ...item, date })).toMatchObject({ date: instant });
  });

  it('turns ids that are numbers into texts', () => {
    expect(parseItem({ ...item, sourceId: 7, parentId: 3 })).toMatchObject({ sourceId: '7', parentId: '3' });
  });

  it('copies content, so that later changes of the source have no effect', () => {
    const content = [structuredClone(block)];
    const parsed = parseItem({ ...item, content });
    content.pop();
    expect(parsed).toMatchObject({ content: [block] });
  });

  const cyclic: { _type: string; self?: object } = { _type: 'block' };
  cyclic.self = cyclic;
  it.each<[string, object, string]>([
    ['a missing title', { title: undefined }, 'title: '],
    ['a number as title', { title: 5 }, 'title: '],
    ['an unknown status', { status: 'published' }, 'status: '],
    ['an impossible date', { date: '2024-02-30' }, 'date: must be an ISO 8601 date and time'],
    ['an invalid Date', { date: new Date('x') }, 'date: '],
    ['missing content', { content: undefined }, 'content: must be rich-text blocks'],
    ['HTML as content', { content: '<p>Text</p>' }, 'content: must be rich-text blocks'],
    ['a block without a type', { content: [block, {}] }, 'content.1._type: '],
    ['cyclic content', { content: [cyclic] }, 'content: must be rich-text blocks'],
    ['content with a BigInt', { content: [{ _type: 'x', n: 1n }] }, 'content: must be rich-text blocks'],
    [
      'content above 16 MB',
      { content: [{ _type: 'x', text: 'x'.repeat(16 * 1024 * 1024) }] },
      'content: must be rich-text blocks of 16 MB of JSON at most',
    ],
    ['a list of values as meta', { meta: [1] }, 'meta: must be an object'],
    ['meta above 1 MB', { meta: { a: 'x'.repeat(1024 * 1024) } }, 'meta: must be an object of 1 MB'],
    ['a tag that is no text', { tags: [{ name: 'a' }] }, 'tags.0: '],
    ['an unsafe image address', { featuredImage: 'javascript:x' }, 'featuredImage: must be an http or https'],
    ['U+0000', { slug: 'a\u0000b' }, 'slug: must not contain U+0000'],
    ['an empty id', { sourceId: '' }, 'sourceId: '],
  ])('reports %s with its path', (_, change, fault) => {
    const parsed = parseItem({ ...item, ...change });
    expect(isItemFault(parsed) && parsed.fault.startsWith(fault) ? fault : parsed).toBe(fault);
  });

  it('accepts content of 15 MB', () => {
    const large = { _type: 'x', text: 'x'.repeat(15 * 1024 * 1024) };
    expect(isItemFault(parseItem({ ...item, content: [large] }))).toBe(false);
  });

  it('names the invalid item', () => {
    expect(parseItem({ ...item, title: '<b>A</b>\u0007 title', status: 'gone' })).toMatchObject({
      title: 'A title',
      sourceId: '7',
    });
    for (const value of [null, undefined, 'text', 5, []])
      expect(parseItem(value)).toMatchObject({ title: '', sourceId: null, fault: expect.any(String) });
  });
});
