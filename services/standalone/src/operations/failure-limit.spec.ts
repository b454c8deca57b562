import { describe, expect, it } from '@jest/globals';
import { FailureLimit } from './failure-limit.js';

describe('FailureLimit', () => {
  it('lets an address wait for the rest of the minute after ten failures', () => {
    let now = 0;
    const limit = new FailureLimit(() => now);
    const fail = (count: number, address = 'a') => {
      for (let failure = 0; failure < count; failure += 1) limit.add(address);
    };
    fail(9);
    expect(limit.retryAfterSeconds('a')).toBe(0);
    now = 20_000;
    fail(1);
    expect([limit.retryAfterSeconds('a'), limit.retryAfterSeconds('b')]).toEqual([40, 0]);
    now = 60_000;
    expect(limit.retryAfterSeconds('a')).toBe(0);
    fail(1);
    expect(limit.retryAfterSeconds('a')).toBe(0);
  });
});
