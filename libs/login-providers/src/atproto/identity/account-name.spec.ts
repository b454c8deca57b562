import { describe, expect, it } from '@jest/globals';
import { readAccountName } from './account-name.js';

const plc = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';

describe('readAccountName', () => {
  it.each([
    ['alice.bsky.social', 'alice.bsky.social'],
    ['@alice.bsky.social', 'alice.bsky.social'],
    ['  Alice.Example.COM ', 'alice.example.com'],
    ['\u202aalice.example.com\u202c', 'alice.example.com'],
    ['\u200b@alice.example.com', 'alice.example.com'],
    ['xn--bcher-kva.example.com', 'xn--bcher-kva.example.com'],
    ['8.cn', '8.cn'],
  ])('reads %j as a handle', (typed, handle) => {
    expect(readAccountName(typed)).toEqual({ kind: 'handle', handle });
  });

  it.each([plc, ` ${plc} `, 'did:web:example.com'])('reads %j as a DID', (typed) => {
    expect(readAccountName(typed)).toEqual({ kind: 'did', did: typed.trim() });
  });

  it.each([
    '',
    'alice',
    '@',
    'alice@example.com',
    'https://pds.example.com',
    'at://alice.example.com',
    'alice.example.com/path',
    'alice.example.com:8443',
    'alice.localhost',
    'alice.internal',
    'handle.invalid',
    '127.0.0.1',
    '[::1]',
    '-alice.example.com',
    'alice..example.com',
    'bücher.example.com',
    `${'a'.repeat(250)}.com`,
    `${'a'.repeat(64)}.com`,
    'did:plc:short',
    `${plc}x`,
    plc.toUpperCase(),
    'did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme',
    'did:web:localhost',
    'did:web:127.0.0.1',
    'did:web:example.com:users:alice',
    'did:web:example.com%3A8443',
    'did:web:example.com/../x',
  ])('returns undefined for %j', (typed) => {
    expect(readAccountName(typed)).toBeUndefined();
  });
});
