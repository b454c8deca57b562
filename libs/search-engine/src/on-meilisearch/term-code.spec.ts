import { describe, expect, it } from '@jest/globals';
import { prefixCode, termCode, titleCode } from './term-code.js';

const terms = ['run', 'runs', 'y', 'z', 'zz', 'zy', 'été', '東京', '𠮷', '42', 'a b', '', 'x', 'b2b', '\n"'];

describe('the code of terms', () => {
  it('has letters alone, which Meilisearch keeps together', () => {
    for (const term of terms) expect(termCode(term)).toMatch(/^[a-z]+$/);
  });

  it('differs for terms that differ', () => {
    expect(new Set(terms.map(termCode)).size).toBe(terms.length);
  });

  it('begins with the code of a beginning, exactly when the term begins with it', () => {
    for (const term of terms)
      for (const beginning of terms)
        expect(termCode(term).startsWith(prefixCode(beginning))).toBe(term.startsWith(beginning));
  });

  it('is no beginning of another term', () => {
    for (const term of terms)
      for (const other of terms.filter((one) => one !== term))
        expect(termCode(other).startsWith(termCode(term))).toBe(false);
  });

  it('is short enough for the longest words', () => {
    expect(termCode('東'.repeat(40)).length).toBeLessThan(250);
    expect(titleCode('東'.repeat(200)).length).toBeLessThan(250);
  });

  it('of titles keeps their order and their beginnings, and is that of no term', () => {
    const titles = ['', ' a', '100', 'a', 'ab', 'b', 'é', '東', '東京', '𠮷'];
    expect(titles.map(titleCode).sort()).toEqual(titles.map(titleCode));
    for (const title of titles)
      for (const beginning of titles)
        expect(titleCode(title).startsWith(titleCode(beginning))).toBe(title.startsWith(beginning));
    for (const term of terms.filter((one) => one !== ''))
      expect(prefixCode(term).startsWith(titleCode(''))).toBe(false);
  });
});
