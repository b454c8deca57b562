import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, jest } from '@jest/globals';
import { memoize } from './memoize.js';

const mebibyte = 1024 * 1024;

/** Megabytes of the heap in use, without garbage. */
function heapMegabytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / mebibyte;
}

describe('memoize', () => {
  it('computes a cached result once', () => {
    const compute = jest.fn((text: string) => text.toUpperCase());
    const upper = memoize(compute, 2);
    expect([upper('a'), upper('b'), upper('a'), upper('b')]).toEqual(['A', 'B', 'A', 'B']);
    expect(compute).toHaveBeenCalledTimes(2);
  });

  it('evicts only the least recently used result when it is full', () => {
    const compute = jest.fn((text: string) => text);
    const cached = memoize(compute, 3);
    for (const text of ['a', 'b', 'c', 'a', 'd']) cached(text);
    for (const text of ['a', 'c', 'd', 'b']) cached(text);
    expect(compute.mock.calls.flat()).toEqual(['a', 'b', 'c', 'd', 'b']);
  });

  it('does not cache long texts', () => {
    const compute = jest.fn((text: string) => text);
    const cached = memoize(compute, 3);
    expect([cached('a'.repeat(65)), cached('a'.repeat(65))]).toEqual(Array(2).fill('a'.repeat(65)));
    expect(compute).toHaveBeenCalledTimes(2);
  });

  it('keeps unpaired surrogates', () => {
    expect(memoize((text) => text, 3)('\ud800a')).toBe('\ud800a');
  });

  it('does not retain the texts that its keys were found in', () => {
    const cached = memoize((text) => text.slice(0, -1), 1000);
    const before = heapMegabytes();
    for (let count = 0; count < 100; count += 1) {
      const text = `${String(count).padStart(20, 'x')} ${'y '.repeat(mebibyte / 4)}`.toLowerCase();
      cached(/\w+/u.exec(text)?.[0] ?? '');
    }
    expect(heapMegabytes() - before).toBeLessThan(10);
  });
});
