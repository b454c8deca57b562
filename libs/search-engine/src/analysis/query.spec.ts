import { describe, expect, it } from '@jest/globals';
import { searchLimits } from '../port/search-index.js';
import { parseQuery } from './query.js';

describe('parseQuery', () => {
  it.each([
    ['running dogs', [{ terms: ['run'] }, { terms: ['dog'], prefix: 'dogs' }]],
    ['"running dogs"', [{ terms: ['run', 'dog'] }]],
    [
      'cats "running dogs" bark',
      [{ terms: ['cat'] }, { terms: ['run', 'dog'] }, { terms: ['bark'], prefix: 'bark' }],
    ],
    [
      'don’t e-mail',
      [{ terms: ['don'] }, { terms: ['t'] }, { terms: ['e'] }, { terms: ['mail'], prefix: 'mail' }],
    ],
    ['x', [{ terms: ['x'] }]],
    ['dogs a', [{ terms: ['dog'] }, { terms: ['a'] }]],
    ['dog dogs dog', [{ terms: ['dog'] }, { terms: ['dog'], prefix: 'dog' }]],
    ['" "', []],
    ['& | ! *', []],
  ])('of %j returns %j', (text, units) => expect(parseQuery(text, 'porter unicode61')).toEqual(units));

  it.each([
    ['東京都', [{ terms: ['東京都'], substring: '東京都' }]],
    ['東京', []],
    ['ab cdef', [{ terms: ['cde', 'def'], substring: 'cdef' }]],
    ['"ab  cd"', [{ terms: ['ab ', 'b c', ' cd'], substring: 'ab cd' }]],
    ['𠮷𠮷', []],
    ['e\u0301e\u0301', []],
    ['㍿', []],
    ['" ㍿ "', []],
    ['ﬁx', []],
    ['ﬁ x', []],
    ['ﬁxe', [{ terms: ['fix', 'ixe'], substring: 'fixe' }]],
    ['ﬁx it', [{ terms: ['fix'], substring: 'fix' }]],
  ])('with trigram of %j returns %j', (text, units) => expect(parseQuery(text, 'trigram')).toEqual(units));

  it('ignores words beyond the maximum', () => {
    const words = Array.from({ length: 50 }, (_, place) => `w${place}`).join(' ');
    expect(parseQuery(words, 'unicode61')).toHaveLength(searchLimits.queryWords);
    expect(parseQuery(`"${words}"`, 'unicode61')[0]?.terms).toHaveLength(searchLimits.queryWords);
  });
});
