import { describe, expect, it } from '@jest/globals';
import { clientKey } from './client-key.js';

describe('what a client is counted by (contract 4)', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:db8::7', '2001:db8:0:0::/64'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
  ])('of %s is %s', (address, key) => {
    expect(clientKey(address)).toBe(key);
  });
});
