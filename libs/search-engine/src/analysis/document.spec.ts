import { describe, expect, it } from '@jest/globals';
import { indexFormat, searchLimits, type Tokenizer } from '../port/search-index.js';
import { fairLength, plainView } from './document.js';

describe('fairLength', () => {
  it.each([
    ['stay whole when there is room for all', [3, 0, 7], 10, 10],
    ['are cut when one is too long', [11], 10, 10],
    ['leave short ones whole', [2, 100, 3], 20, 15],
    ['divide what is left among the long ones', [2, 100, 90], 20, 9],
    ['are cut alike when all are long', [50, 100, 90], 20, 6],
    ['are none', [], 10, 10],
    ['have nothing where there is none', [5, 5], 1, 0],
  ])('%s', (_, lengths, room, longest) => {
    expect(fairLength(lengths, room)).toBe(longest);
    const taken = lengths.reduce((sum, length) => sum + Math.min(length, longest), 0);
    expect(taken).toBeLessThanOrEqual(room);
  });
});

describe('plainDocuments of a document with a long text', () => {
  const { documentCharacters, trigramDocumentCharacters } = searchLimits;
  it.each<[Tokenizer, number]>([
    ['unicode61', documentCharacters],
    ['trigram', trigramDocumentCharacters],
  ])('keeps short texts whole, with any weight (%s)', (tokenizer, room) => {
    const given = { statuses: ['published' as const], slug: null, title: 'Title' };
    const fields = { body: 'b'.repeat(room + 21_000), tags: 'tagged' };
    const index = { collectionId: 'c', generation: 1, format: indexFormat, tokenizer, weights: { body: 5 } };
    const plain = plainView({ ...given, fields }, index);
    expect(plain.title).toBe('Title');
    expect(plain.fields.map(({ text }) => text.length)).toEqual([room - 5 - 6, 6]);
    const long = plainView({ ...given, title: 't'.repeat(room * 2), fields }, index);
    expect(long.fields.at(-1)?.text).toBe('tagged');
  });
});
