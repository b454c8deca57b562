import { describe, expect, it } from '@jest/globals';
import { encodePrefix, encodeTerm, encodeTitle } from './term-encoding.js';

const terms = ['run', 'runs', 'y', 'z', 'zz', 'zy', 'été', '東京', '𠮷', '42', 'a b', '', 'x', 'b2b', '\n"'];

describe('encodeTerm', () => {
  it('returns only letters, which Meilisearch does not divide', () => {
    for (const term of terms) expect(encodeTerm(term)).toMatch(/^[a-z]+$/);
  });

  it('differs for different terms', () => {
    expect(new Set(terms.map(encodeTerm)).size).toBe(terms.length);
  });

  it('begins with the encoded prefix exactly when the term begins with it', () => {
    for (const term of terms)
      for (const prefix of terms)
        expect(encodeTerm(term).startsWith(encodePrefix(prefix))).toBe(term.startsWith(prefix));
  });

  it('is never a prefix of another term', () => {
    for (const term of terms)
      for (const other of terms.filter((one) => one !== term))
        expect(encodeTerm(other).startsWith(encodeTerm(term))).toBe(false);
  });

  it('is short enough for the longest words', () => {
    expect(encodeTerm('東'.repeat(40)).length).toBeLessThan(250);
    expect(encodeTitle('東'.repeat(200)).length).toBeLessThan(250);
  });

  it('of titles preserves their order and prefixes, and differs from every term', () => {
    const titles = ['', ' a', '100', 'a', 'ab', 'b', 'é', '東', '東京', '𠮷'];
    expect(titles.map(encodeTitle).sort()).toEqual(titles.map(encodeTitle));
    for (const title of titles)
      for (const prefix of titles)
        expect(encodeTitle(title).startsWith(encodeTitle(prefix))).toBe(title.startsWith(prefix));
    for (const term of terms.filter((one) => one !== ''))
      expect(encodePrefix(term).startsWith(encodeTitle(''))).toBe(false);
  });
});
