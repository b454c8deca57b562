import { describe, expect, it } from '@jest/globals';
import { clientNetwork } from './client-network.js';

describe('whom a limit counts', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:0:0:1::', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
  ])('%s is one of %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });
});
