import { describe, expect, it } from '@jest/globals';
import { folderNameDigest, folderNameKey } from './folder-name.js';

describe('comparing the names of folders (document 1, Media item)', () => {
  it.each([
    ['case', 'Logos', 'LOGOS'],
    ['composed and decomposed letters', 'Caf\u00e9', 'Cafe\u0301'],
    ['full-width letters', 'Logos', '\uff2c\uff4f\uff47\uff4f\uff53'],
    ['ligatures', 'fin', '\ufb01n'],
    ['capital letters that lower-casing takes apart', '\u0130', 'i\u0307'],
  ])('does not tell apart %s', (_, left, right) => {
    expect(folderNameKey(left)).toBe(folderNameKey(right));
  });

  it.each([
    ['accents', 'cafe', 'caf\u00e9'],
    ['spaces inside', 'a b', 'ab'],
  ])('tells apart %s', (_, left, right) => {
    expect(folderNameKey(left)).not.toBe(folderNameKey(right));
  });

  it('gives every name a digest of the same length, and two names two', () => {
    const digests = ['a', '\ufdfa'.repeat(200)].map((name) => folderNameDigest(folderNameKey(name)));
    expect(digests.map(({ length }) => length)).toEqual([64, 64]);
    expect(digests[0]).not.toBe(digests[1]);
  });
});
