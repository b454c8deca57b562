import { describe, expect, it } from '@jest/globals';
import { allowedAccounts } from './allowed-accounts.js';

const did = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';
const alice = { did, handle: 'alice.example.com' };

describe('allowedAccounts', () => {
  it('allows all accounts without lists', () => {
    expect(allowedAccounts({})({ did, handle: null })).toBe(true);
  });

  it.each([
    ['the handle itself', ['alice.example.com'], true],
    ['the handle as people write it', [' @Alice.Example.com'], true],
    ['another handle', ['bob.example.com'], false],
    ['all below its domain', ['*.example.com'], true],
    ['all below a domain further up', ['*.com.example.com', '*.example.org'], false],
    ['a domain whose name only ends alike', ['*.ple.com'], false],
    ['no account', [], false],
  ])('compares handles: %s', (_, allowedHandles, expected) => {
    expect(allowedAccounts({ allowedHandles })(alice)).toBe(expected);
  });

  it('matches a pattern with all names below a domain, at any depth, but not the domain itself', () => {
    const isAllowed = allowedAccounts({ allowedHandles: ['*.example.com'] });
    expect(isAllowed({ did, handle: 'a.b.example.com' })).toBe(true);
    expect(isAllowed({ did, handle: 'example.com' })).toBe(false);
  });

  it('ignores a handle that is not confirmed', () => {
    expect(allowedAccounts({ allowedHandles: ['*.example.com'] })({ did, handle: null })).toBe(false);
  });

  it.each([
    [[did], true],
    [['did:web:example.com'], false],
    [[], false],
  ])('compares DIDs, independent of the handle: %j', (allowedDIDs, expected) => {
    expect(allowedAccounts({ allowedDIDs })({ did, handle: null })).toBe(expected);
  });

  it('allows an account of either list', () => {
    const isAllowed = allowedAccounts({ allowedHandles: ['bob.example.com'], allowedDIDs: [did] });
    expect(isAllowed(alice)).toBe(true);
    expect(isAllowed({ did: 'did:web:bob.example.com', handle: 'bob.example.com' })).toBe(true);
    expect(isAllowed({ did: 'did:web:eve.example.com', handle: 'eve.example.com' })).toBe(false);
  });

  it.each(['alice', '*', '*.com', '*alice.example.com', '.example.com', 'a.*.example.com', did])(
    'throws for %j as a handle',
    (entry) => {
      expect(() => allowedAccounts({ allowedHandles: [entry] })).toThrow(`allowedHandles: "${entry}"`);
    },
  );

  it.each(['alice.example.com', 'did:plc:short', `${did} `])('throws for %j as a DID', (entry) => {
    expect(() => allowedAccounts({ allowedDIDs: [entry] })).toThrow(`allowedDIDs: "${entry}"`);
  });
});
