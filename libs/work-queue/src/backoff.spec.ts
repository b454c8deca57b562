import { describe, expect, it } from '@jest/globals';
import { exponentialBackoff } from './backoff.js';

describe('exponentialBackoff', () => {
  const backoff = exponentialBackoff({ initialSeconds: 2, maxSeconds: 60 });

  it.each([
    [1, 2],
    [2, 4],
    [5, 32],
    [6, 60],
    [1_000_000, 60],
  ])('after %s failed attempts waits %s seconds', (attempts, seconds) => {
    expect(backoff(attempts)).toBe(seconds);
  });
});
