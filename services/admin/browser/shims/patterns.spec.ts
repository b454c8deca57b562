import { describe, expect, it } from '@jest/globals';
import { RE2JS } from './patterns.js';

const test = (pattern: string, text: string) => RE2JS.compile(RE2JS.translateRegExp(pattern)).test(text);

describe('patterns in the browser', () => {
  it('match anywhere in a text, by characters', () => {
    expect(test('b+', 'abc')).toBe(true);
    expect(test('^b+$', 'abc')).toBe(false);
    expect(test('^.$', '\u{1f600}')).toBe(true);
  });

  it.each(['(', '[[:alpha:]]', '\\A', '\\pN', '\\z'])(
    'accept every text where %j does not compile',
    (pattern) => {
      expect(test(pattern, 'any')).toBe(true);
    },
  );

  it('accept a long text, which the server tests', () => {
    expect(test('^b', 'a'.repeat(2_000))).toBe(false);
    expect(test('^b', 'a'.repeat(2_001))).toBe(true);
  });

  it('are given up after a text that took long', () => {
    const pattern = RE2JS.compile('^(?:a+)+$');
    let length = 15;
    while (!pattern.test(`${'a'.repeat(length)}!`)) length += 1;
    expect(length).toBeGreaterThan(15);
    const start = performance.now();
    pattern.test(`${'a'.repeat(60)}!`);
    expect(performance.now() - start).toBeLessThan(50);
  });
});
