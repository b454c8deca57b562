import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { anonymous, systemActor, type Principal } from '../actors/principal.js';
import { deriveInternalKeys, generateInternalKeyPair, readInternalKeys } from './internal-keys.js';
import { InternalTokenSigner, InternalTokenVerifier } from './internal-token.js';

const tenant = { id: 'a', database: null };
const editor: Principal = { kind: 'session', tenant, userId: 'u', role: 40 };
const worker = systemActor(tenant, 'system:spec');
const binding = { service: 'content', method: 'PUT', path: '/_cms/api/content/posts/1' };
const keys = deriveInternalKeys(['a secret of at least thirty-two characters'], ['gateway', 'media']);
const others = deriveInternalKeys(['another secret, as long as the first one'], ['gateway', 'media']);
const signer = new InternalTokenSigner(keys);
const verifier = new InternalTokenVerifier(keys);

afterEach(() => void jest.useRealTimers());

/** The token with changed claims and the original signature. */
function altered(token: string, change: object): string {
  const [header, payload = '', signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const other = Buffer.from(JSON.stringify({ ...claims, ...change })).toString('base64url');
  return [header, other, signature].join('.');
}

describe('InternalTokenVerifier.verify (design 3)', () => {
  it('returns the principal for the request that the token was signed for', () => {
    expect(verifier.verify(signer.sign('gateway', editor, binding), binding)).toEqual(editor);
    expect(verifier.verify(signer.sign('media', worker, binding), binding)).toEqual(worker);
  });

  it.each([
    ['another service', { service: 'media' }],
    ['another method', { method: 'DELETE' }],
    ['another path', { path: '/_cms/api/content/posts/2' }],
  ])('throws for %s', (_, change) => {
    const token = signer.sign('gateway', editor, binding);
    expect(() => verifier.verify(token, { ...binding, ...change })).toThrow('for another request');
  });

  it('throws for the principal of a caller in a token of another service than the gateway', () => {
    for (const principal of [editor, anonymous(tenant)])
      expect(() => verifier.verify(signer.sign('media', principal, binding), binding)).toThrow(
        'Only the gateway vouches for callers',
      );
  });

  it.each([
    ['other keys', () => new InternalTokenSigner(others).sign('gateway', editor, binding)],
    ['other claims', () => altered(signer.sign('gateway', editor, binding), { principal: worker })],
    ['another issuer', () => altered(signer.sign('gateway', editor, binding), { iss: 'media' })],
    ['no signature', () => `${signer.sign('gateway', editor, binding).split('.').slice(0, 2).join('.')}.`],
    ['no token', () => 'x'],
    ['an empty text', () => ''],
  ])('throws for %s', (_, token) => {
    expect(() => verifier.verify(token(), binding)).toThrow();
  });

  it('throws for the key of one service under the name of another', () => {
    const pair = generateInternalKeyPair();
    const ofMedia = readInternalKeys({
      privateKeys: [['gateway', pair.privateKey]],
      publicKeys: [['media', pair.publicKey]],
    });
    const token = new InternalTokenSigner(ofMedia).sign('gateway', editor, binding);
    expect(() => new InternalTokenVerifier(ofMedia).verify(token, binding)).toThrow('not valid');
  });

  it('throws a minute after the token was signed, however often it was verified before', () => {
    jest.useFakeTimers();
    const token = signer.sign('gateway', editor, binding);
    expect(verifier.verify(token, binding)).toEqual(editor);
    jest.advanceTimersByTime(61_000);
    expect(() => verifier.verify(token, binding)).toThrow('not valid');
  });

  it('accepts two keys of a service, while one is being replaced', () => {
    const [old, present] = [generateInternalKeyPair(), generateInternalKeyPair()];
    const publicKeys = [old, present].map(({ publicKey }) => ['gateway', publicKey] as const);
    const both = new InternalTokenVerifier(readInternalKeys({ privateKeys: [], publicKeys }));
    for (const { privateKey } of [old, present]) {
      const own = readInternalKeys({ privateKeys: [['gateway', privateKey]], publicKeys: [] });
      expect(both.verify(new InternalTokenSigner(own).sign('gateway', editor, binding), binding)).toEqual(
        editor,
      );
    }
  });
});

describe('InternalTokenSigner.sign', () => {
  it('reuses a signature for equal requests of a principal, for some seconds', () => {
    jest.useFakeTimers();
    const own = new InternalTokenSigner(keys);
    const token = own.sign('gateway', editor, binding);
    jest.advanceTimersByTime(14_000);
    expect(own.sign('gateway', editor, binding)).toBe(token);
    expect(own.sign('gateway', { ...editor }, binding)).not.toBe(token);
    expect(own.sign('gateway', editor, { ...binding, path: '/' })).not.toBe(token);
    jest.advanceTimersByTime(2_000);
    expect(own.sign('gateway', editor, binding)).not.toBe(token);
  });

  it('throws for a service without a key in the process', () => {
    expect(() => signer.sign('search', worker, binding)).toThrow('no private key of search');
  });
});

describe('readInternalKeys', () => {
  it('throws for a key of another length', () => {
    expect(() => readInternalKeys({ privateKeys: [['gateway', 'AAAA']], publicKeys: [] })).toThrow(
      '32 bytes',
    );
  });
});
