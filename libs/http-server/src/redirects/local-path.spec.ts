import { expect, it } from '@jest/globals';
import { toLocationHeader } from './local-path.js';

it.each([
  ['/plain?a=1&b=%20#c', '/plain?a=1&b=%20#c'],
  ['/über/日本', '/%C3%BCber/%E6%97%A5%E6%9C%AC'],
  ['/a b', '/a%20b'],
  ['/\uD800x😀', '/%EF%BF%BDx%F0%9F%98%80'],
])('toLocationHeader of %j is %s', (path, location) => {
  expect(toLocationHeader(path)).toBe(location);
});
