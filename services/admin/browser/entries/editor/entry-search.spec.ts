import { describe, expect, it } from '@jest/globals';
import { parseEntrySearch } from './entry-search.js';

describe('the address of the editor', () => {
  it('names the text of a new entry and its locale', () => {
    const draft = '01ARYZ6S41TSV4RRFFQ69G5FAV';
    expect(parseEntrySearch({ draft, locale: 'pt-BR' })).toEqual({ draft, locale: 'pt-BR' });
  });

  it.each([
    ['a draft of another form', { draft: 'mine' }],
    ['a locale with other characters', { locale: 'de/../x' }],
    ['values that are no texts', { draft: 7, locale: ['de'] }],
    ['unknown parameters', { view: 'all' }],
  ])('drops %s', (_, search) => {
    expect(parseEntrySearch(search)).toEqual({});
  });
});
