import { describe, expect, it } from '@jest/globals';
import { clientAddressOf } from './client-address.js';

const proxy = '10.0.0.1';

describe('clientAddressOf behind trusted proxies (decision 54)', () => {
  it.each<[what: string, trusted: string[], headers: Record<string, string>, expected: string]>([
    ['the trusted header is absent', ['x-real-ip'], { 'x-forwarded-for': '203.0.113.7' }, proxy],
    ['a header of one address', ['x-real-ip'], { 'x-real-ip': ' 203.0.113.7 ' }, '203.0.113.7'],
    [
      'the last entry of a list of forwarders',
      ['x-forwarded-for'],
      { 'x-forwarded-for': '198.51.100.1, 198.51.100.2, 203.0.113.7' },
      '203.0.113.7',
    ],
    [
      'the same of a vendor’s own header',
      ['x-edge-forwarded-for'],
      { 'x-edge-forwarded-for': '198.51.100.1,203.0.113.7' },
      '203.0.113.7',
    ],
    [
      'a last entry that is unreadable',
      ['x-forwarded-for'],
      { 'x-forwarded-for': '203.0.113.7, nonsense' },
      proxy,
    ],
    ['a list that ends in nothing', ['x-forwarded-for'], { 'x-forwarded-for': '203.0.113.7,' }, proxy],
    ['a list where one address is due', ['x-real-ip'], { 'x-real-ip': '203.0.113.7, 203.0.113.8' }, proxy],
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
      proxy,
    ],
    ['an empty one', ['x-real-ip'], { 'x-real-ip': '' }, proxy],
    ['an address with a port', ['x-real-ip'], { 'x-real-ip': '203.0.113.7:4711' }, '203.0.113.7'],
    ['IPv6 with a port', ['x-real-ip'], { 'x-real-ip': '[2001:db8::1]:443' }, '2001:db8::1'],
    ['IPv6 in another spelling', ['x-real-ip'], { 'x-real-ip': '2001:0DB8:0:0:0:0:0:1' }, '2001:db8::1'],
    ['IPv4 written as IPv6', ['x-real-ip'], { 'x-real-ip': '::FFFF:203.0.113.7' }, '203.0.113.7'],
    [
      'IPv4 written as IPv6 in hexadecimal',
      ['x-real-ip'],
      { 'x-real-ip': '::ffff:cb00:7107' },
      '203.0.113.7',
    ],
    ['IPv6 with a zone', ['x-real-ip'], { 'x-real-ip': 'fe80::1%eth0' }, proxy],
    ['an address that only looks like one', ['x-real-ip'], { 'x-real-ip': '203.0.113.700' }, proxy],
    ['a number that some parsers take', ['x-real-ip'], { 'x-real-ip': '0x7f.1' }, proxy],
  ])('%s', (_, headers, sent, expected) => {
    const request = { headers: sent, socket: { remoteAddress: proxy } };
    expect(clientAddressOf(request, { headers, hops: 1 })).toBe(expected);
  });

  it.each([
    [1, '10.0.0.2'],
    [2, '203.0.113.7'],
    [3, '198.51.100.1'],
    [4, proxy],
  ])('counts %i entries from the right', (hops, expected) => {
    const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.7, 10.0.0.2' };
    const request = { headers, socket: { remoteAddress: proxy } };
    expect(clientAddressOf(request, { headers: ['x-forwarded-for'], hops })).toBe(expected);
  });
});

describe('clientAddressOf without trusted headers (decision 55)', () => {
  it.each<[connected: string | undefined, expected: string | null]>([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
    ['9.9.9.9', '9.9.9.9'],
    ['2620:fe::9', '2620:fe::9'],
    ['10.1.2.3', null],
    ['172.18.0.1', null],
    ['::ffff:192.168.1.5', null],
    ['100.64.0.1', null],
    ['169.254.1.1', null],
    ['fd00::1', null],
    ['fe80::1%eth0', null],
    [undefined, null],
  ])('a connection from %s counts as %s, whatever its headers say', (remoteAddress, expected) => {
    const request = { headers: { 'x-forwarded-for': '203.0.113.7' }, socket: { remoteAddress } };
    expect(clientAddressOf(request, { headers: [], hops: 1 })).toBe(expected);
  });
});

describe('clientAddressOf of one connection', () => {
  it('follows its address, which is missing once it is closed', () => {
    const socket: { remoteAddress: string | undefined } = { remoteAddress: '9.9.9.9' };
    const read = () => clientAddressOf({ headers: {}, socket }, { headers: [], hops: 1 });
    expect([read(), read()]).toEqual(['9.9.9.9', '9.9.9.9']);
    socket.remoteAddress = undefined;
    expect(read()).toBeNull();
  });
});
