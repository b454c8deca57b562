import { expect, it } from '@jest/globals';
import { likeContaining } from './like-pattern.js';

it.each([
  ['abc', '%abc%'],
  ['50%_\\', '%50\\%\\_\\\\%'],
  ['', '%%'],
])('texts that have %j in them are like %j', (text, pattern) => {
  expect(likeContaining(text)).toBe(pattern);
});
