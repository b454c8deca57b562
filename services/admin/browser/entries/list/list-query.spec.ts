import { describe, expect, it } from '@jest/globals';
import type { Bootstrap, Collection } from '../../api/bootstrap.js';
import { columnsOf, defaultColumns, listOrder, nextSort } from './list-columns.js';
import { taxonomiesOf, toListQuery } from './list-query.js';
import type { ListSearch } from './list-search.js';

const field = (slug: string, type: string, part: object = {}) => ({
  slug,
  type,
  label: slug,
  indexed: false,
  ...part,
});
const collection = {
  slug: 'posts',
  titleField: null,
  fields: [
    field('title', 'string'),
    field('color', 'select', { indexed: true }),
    field('starts', 'datetime', { indexed: true }),
    field('body', 'portableText'),
    ...Array.from({ length: 9 }, (_, index) => field(`f${index}`, 'string')),
  ],
} as unknown as Collection;
const taxonomies = [
  { name: 'genre', label: 'Genres', locale: 'en', collections: ['posts'] },
  { name: 'genre', label: 'Gattungen', locale: 'de', collections: ['posts'] },
  { name: 'tag', label: 'Tags', locale: 'en', collections: ['pages'] },
] as unknown as Bootstrap['taxonomies'];

const query = (search: ListSearch, ids: string[] = []) =>
  toListQuery(search, {
    collection,
    columns: columnsOf(collection, ids, search.view ?? 'all'),
    taxonomies,
    timezone: 'Asia/Tokyo',
  });

describe('toListQuery', () => {
  it('of an empty search lists all entries, last edited first', () => {
    expect(query({})).toEqual({ view: 'all', orderBy: 'editedAt', order: 'desc' });
  });

  it('sends columns that are fields, text, locale and author', () => {
    expect(query({ q: 'a', locale: 'de', author: 'x' }, ['_status', 'color'])).toMatchObject({
      q: 'a',
      locale: 'de',
      authorId: 'x',
      columns: 'color',
    });
    expect(query({ view: 'mine', author: 'x' })).not.toHaveProperty('authorId');
  });

  it('sends days as instants of the zone of the site', () => {
    expect(query({ from: '2026-12-09', to: '2026-12-09', on: 'created' })).toMatchObject({
      dateField: 'createdAt',
      dateFrom: '2026-12-08T15:00:00.000Z',
      dateTo: '2026-12-09T14:59:59.999Z',
    });
    expect(query({ f: { starts: { gte: '2026-12-09' } } }).fieldFilters).toBe(
      '{"starts":{"gte":"2026-12-08T15:00:00.000Z"}}',
    );
  });

  it('leaves out what the collection does not have', () => {
    const search = { f: { color: { in: ['red'] }, body: 'x', gone: 1 }, t: { genre: ['novel'], tag: ['x'] } };
    expect(query(search)).toMatchObject({
      fieldFilters: '{"color":{"in":["red"]}}',
      termFilters: '{"genre":["novel"]}',
    });
    expect(query({ f: { gone: 1 } })).not.toHaveProperty('fieldFilters');
  });
});

describe('order', () => {
  it.each<[ListSearch, string, boolean]>([
    [{}, 'editedAt', true],
    [{ view: 'trash' }, 'deletedAt', true],
    [{ view: 'scheduled' }, 'scheduledAt', false],
    [{ sort: 'title' }, 'title', false],
    [{ sort: '-color' }, 'color', true],
    [{ sort: 'body' }, 'editedAt', true],
    [{ sort: 'f0' }, 'editedAt', true],
    [{ sort: 'deletedAt' }, 'editedAt', true],
  ])('of %j is by %s, descending: %s', (search, orderBy, isDescending) => {
    expect(listOrder(collection, search)).toEqual({ orderBy, isDescending });
  });

  it('is reversed by a second click; times begin with the last one', () => {
    expect(nextSort({ orderBy: 'title', isDescending: false }, 'title')).toBe('-title');
    expect(nextSort({ orderBy: 'title', isDescending: true }, 'title')).toBe('title');
    expect(nextSort({ orderBy: 'title', isDescending: true }, 'editedAt')).toBe('-editedAt');
    expect(nextSort({ orderBy: 'editedAt', isDescending: true }, 'title')).toBe('title');
  });
});

describe('columns', () => {
  it('are those of the collection, else status, author and time', () => {
    expect(defaultColumns(collection, false)).toEqual(['_status', '_author', '_edited']);
    const listed = { ...collection, admin: { listColumns: ['color'] } };
    expect(defaultColumns(listed, true)).toEqual(['_status', 'color', '_locale', '_edited']);
  });

  it('are at most eight fields, each once, without the title', () => {
    const ids = [
      'title',
      'gone',
      '_status',
      '_status',
      ...Array.from({ length: 9 }, (_, index) => `f${index}`),
    ];
    expect(columnsOf(collection, ids, 'all').map(({ id }) => id)).toEqual(['_status', ...ids.slice(4, 12)]);
    expect(columnsOf(collection, [], 'trash').map(({ id }) => id)).toEqual(['_deleted']);
  });
});

describe('taxonomiesOf', () => {
  it('has each taxonomy of the collection once, in the default locale where it can', () => {
    expect(taxonomiesOf(collection, taxonomies, 'de').map(({ label }) => label)).toEqual(['Gattungen']);
    expect(taxonomiesOf(collection, taxonomies, 'fr').map(({ label }) => label)).toEqual(['Genres']);
  });
});
