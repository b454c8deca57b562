import { expect, it } from '@jest/globals';
import { likeContaining } from './like-pattern.js';

it.each([
  ['abc', '%abc%'],
  ['50%_\\', '%50\\%\\_\\\\%'],
  ['', '%%'],
])('likeContaining of %j is %j', (text, pattern) => {
  expect(likeContaining(text)).toBe(pattern);
});
