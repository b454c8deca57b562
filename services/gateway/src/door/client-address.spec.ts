import { describe, expect, it } from '@jest/globals';
import { clientAddressOf } from './client-address.js';

describe('the client’s address (document 1, Limits; contract 4)', () => {
  it.each<[what: string, trusted: string[], headers: Record<string, string>, expected: string | null]>([
    ['no header is trusted', [], { 'x-forwarded-for': '203.0.113.7' }, null],
    ['the trusted header is absent', ['x-real-ip'], { 'x-forwarded-for': '203.0.113.7' }, null],
    ['a header of one address', ['x-real-ip'], { 'x-real-ip': ' 203.0.113.7 ' }, '203.0.113.7'],
    [
      'the first entry of a list of forwarders',
      ['x-forwarded-for'],
      { 'x-forwarded-for': '203.0.113.7, 10.0.0.1, 10.0.0.2' },
      '203.0.113.7',
    ],
    [
      'the same of a vendor’s own header',
      ['x-edge-forwarded-for'],
      { 'x-edge-forwarded-for': '203.0.113.7,10.0.0.1' },
      '203.0.113.7',
    ],
    ['a list where one address is due', ['x-real-ip'], { 'x-real-ip': '203.0.113.7, 203.0.113.8' }, null],
    [
      'the first trusted header that is present, in the order of trust',
      ['cf-ip', 'x-real-ip', 'x-forwarded-for'],
      { 'x-forwarded-for': '203.0.113.1', 'x-real-ip': '203.0.113.2' },
      '203.0.113.2',
    ],
    [
      'a present one that holds no address, which hides no other',
      ['x-real-ip', 'x-forwarded-for'],
      { 'x-real-ip': 'unknown', 'x-forwarded-for': '203.0.113.1' },
      null,
    ],
    ['an empty one', ['x-real-ip'], { 'x-real-ip': '' }, null],
    ['an address with a port', ['x-real-ip'], { 'x-real-ip': '203.0.113.7:4711' }, '203.0.113.7'],
    ['IPv6 with a port', ['x-real-ip'], { 'x-real-ip': '[2001:db8::1]:443' }, '2001:db8::1'],
    ['IPv6 in another spelling', ['x-real-ip'], { 'x-real-ip': '2001:0DB8:0:0:0:0:0:1' }, '2001:db8::1'],
    ['IPv4 written as IPv6', ['x-real-ip'], { 'x-real-ip': '::FFFF:203.0.113.7' }, '203.0.113.7'],
    ['IPv6 with a zone', ['x-real-ip'], { 'x-real-ip': 'fe80::1%eth0' }, null],
    ['an address that only looks like one', ['x-real-ip'], { 'x-real-ip': '203.0.113.700' }, null],
  ])('%s', (_, trusted, headers, expected) => {
    expect(clientAddressOf(headers, trusted)).toBe(expected);
  });
});
