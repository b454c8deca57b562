import { describe, expect, it } from '@jest/globals';
import {
  filterCountOf,
  hasTooManyFilters,
  isFiltered,
  parseListSearch,
  withoutFilters,
  type ListSearch,
} from './list-search.js';

describe('parseListSearch', () => {
  it('reads the texts of an address', () => {
    const search = {
      view: 'changed',
      q: ' winter ',
      locale: 'de',
      sort: '-editedAt',
      cols: '_status,color',
      f: '{"color":{"in":["red"]},"pages":{"gte":1,"lte":5},"done":true,"note":null}',
      t: '{"genre":["novel"]}',
      author: '01J',
      on: 'created',
      from: '2026-01-01',
      to: '2026-01-31',
    };
    expect(parseListSearch(search)).toEqual({
      ...search,
      q: 'winter',
      f: { color: { in: ['red'] }, pages: { gte: 1, lte: 5 }, done: true, note: null },
      t: { genre: ['novel'] },
    });
  });

  it('reads what it has read', () => {
    const parsed = parseListSearch({ view: 'draft', f: '{"pages":{"gte":1}}', t: '{"genre":["novel"]}' });
    expect(parseListSearch({ ...parsed })).toEqual(parsed);
  });

  it.each<[string, Record<string, unknown>]>([
    ['an unknown view', { view: 'secret' }],
    ['an empty text', { q: ' ' }],
    ['a list of texts', { q: ['a', 'b'] }],
    ['a day that does not exist', { from: '2026-02-30', to: 'yesterday' }],
    ['filters that are no JSON', { f: '{color', t: '[]' }],
    [
      'conditions of another form',
      { f: '{"color":{"like":"r"},"a b":1,"x":[],"y":{"in":[]},"z":{"gte":true}}' },
    ],
    ['terms of another form', { t: '{"genre":"novel","tag":[1]}' }],
    ['columns and orders that are no names', { cols: 'a;b', sort: '--x' }],
    ['a prototype', { f: '{"__proto__":1}', t: '{"__proto__":["a"]}' }],
  ])('leaves out %s', (_, search) => {
    expect(Object.values(parseListSearch(search)).filter((value) => value !== undefined)).toEqual([]);
  });

  it('has a value for each parameter, to replace that of the address', () => {
    expect(Object.keys(parseListSearch({ view: 'secret' }))).toContain('view');
  });
});

describe('filters of a search', () => {
  const search: ListSearch = {
    view: 'draft',
    q: 'a',
    f: { x: 1, y: null },
    t: { genre: ['a'] },
    from: '2026-01-01',
  };

  it('are counted', () => {
    expect(filterCountOf(search)).toBe(4);
    expect(filterCountOf({ to: '2026-01-01', from: '2026-01-01', author: 'a' })).toBe(2);
  });

  it('can be left out, with the text', () => {
    expect(isFiltered(search)).toBe(true);
    expect(withoutFilters(search)).toEqual({ view: 'draft' });
    expect(isFiltered(withoutFilters(search))).toBe(false);
  });

  it.each<[boolean, ListSearch]>([
    [false, { f: { x: { in: Array.from({ length: 50 }, String) } } }],
    [true, { f: { x: { in: Array.from({ length: 51 }, String) } } }],
    [true, { f: { x: { in: Array.from({ length: 49 }, String) }, y: { gte: 1, lte: 2 } } }],
    [true, { f: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`f${index}`, 1])) }],
    [true, { t: { genre: Array.from({ length: 51 }, String) } }],
  ])('too many: %s', (isTooMuch, each) => expect(hasTooManyFilters(each)).toBe(isTooMuch));
});
