import { expect, it } from '@jest/globals';
import { wordDifference } from './word-difference.js';

it('marks the words that the other text does not have', () => {
  expect(wordDifference('a new house by the sea', 'a house by the lake')).toEqual([
    { text: 'a ', isOwn: false },
    { text: 'new ', isOwn: true },
    { text: 'house by the ', isOwn: false },
    { text: 'sea', isOwn: true },
  ]);
});

it('marks nothing of a text that the other one only adds to', () => {
  expect(wordDifference('a house', 'a big house')).toEqual([
    { text: 'a ', isOwn: false },
    { text: 'house', isOwn: false },
  ]);
});

it('marks all of a text beside an empty one, and keeps its line breaks', () => {
  expect(wordDifference('one\n\ntwo', '')).toEqual([{ text: 'one\n\ntwo', isOwn: true }]);
});
