import { describe, expect, it } from '@jest/globals';
import { clientKey, siteKey } from './client-key.js';

describe('clientKey and siteKey (contract 4)', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', undefined],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8::7', '2001:db8:0:0::/64', '2001:db8:0::/48'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64', '2001:db8:0::/48'],
    ['::1', '0:0:0:0::/64', '0:0:0::/48'],
    ['2001:db8::', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ])('of %s are %s and %s', (address, client, site) => {
    expect([clientKey(address), siteKey(address)]).toEqual([client, site]);
  });
});
