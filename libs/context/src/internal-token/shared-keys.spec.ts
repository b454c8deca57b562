import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createSigner } from 'fast-jwt';
import type { Principal } from '../actors/principal.js';
import { generateInternalKeyPair, readInternalKeys } from './internal-keys.js';
import { InternalTokenSigner, InternalTokenVerifier } from './internal-token.js';
import { SharedKeys } from './shared-keys.js';

const editor: Principal = { kind: 'session', tenant: { id: 'a', database: null }, userId: 'u', role: 40 };
const binding = { service: 'content', method: 'PUT', path: '/_cms/api/content/posts/1' };
const [gateway, content, media, next] = Array.from({ length: 4 }, generateInternalKeyPair) as [
  Pair,
  Pair,
  Pair,
  Pair,
];
type Pair = ReturnType<typeof generateInternalKeyPair>;

const present = { gateway: [gateway], content: [content], media: [media] };
/** The keys of the process of one service. */
const keysOf = (service: string, pair: Pair, all: Record<string, Pair[]> = present) =>
  readInternalKeys({
    privateKeys: [[service, pair.privateKey]],
    publicKeys: Object.entries(all).flatMap(([name, pairs]) =>
      pairs.map(({ publicKey }) => [name, publicKey] as const),
    ),
  });
const algorithmOf = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { alg: string }).alg;

afterEach(() => void jest.useRealTimers());

describe('internal tokens with a shared key', () => {
  const signer = new InternalTokenSigner(keysOf('gateway', gateway));
  const verifier = new InternalTokenVerifier(keysOf('content', content));

  it('are valid at the called service, for that request only', () => {
    const token = signer.sign('gateway', editor, binding);
    expect(algorithmOf(token)).toBe('HS256');
    expect(verifier.verify(token, binding)).toEqual(editor);
    for (const other of [{ method: 'GET' }, { path: '/' }])
      expect(() => verifier.verify(token, { ...binding, ...other })).toThrow('another request');
  });

  it('are not valid at another service, which cannot check them either', () => {
    const token = signer.sign('gateway', editor, binding);
    const others = new InternalTokenVerifier(keysOf('media', media));
    expect(() => others.verify(token, binding)).toThrow('not valid');
    expect(() => others.verify(token, { ...binding, service: 'media' })).toThrow('not valid');
  });

  it('cannot be made by a service for another one in the name of the gateway', () => {
    const key = new SharedKeys(keysOf('media', media)).ofIssuer('media', 'content');
    expect(key).toBeDefined();
    const sign = createSigner({
      key: key!,
      algorithm: 'HS256',
      kid: 'gateway',
      iss: 'gateway',
      expiresIn: 1_000,
    });
    const { service: aud, ...claims } = binding;
    expect(() => verifier.verify(sign({ principal: editor, ...claims, aud }), binding)).toThrow('not valid');
  });

  it('are not valid with other claims, or a minute after they were signed', () => {
    jest.useFakeTimers();
    const token = signer.sign('gateway', editor, binding);
    const [head, , code] = token.split('.');
    const claims = {
      principal: { ...editor, role: 50 },
      method: binding.method,
      path: binding.path,
      aud: 'content',
    };
    const altered = [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), code].join('.');
    expect(() => verifier.verify(altered, binding)).toThrow('not valid');
    expect(verifier.verify(token, binding)).toEqual(editor);
    jest.advanceTimersByTime(61_000);
    expect(() => verifier.verify(token, binding)).toThrow('not valid');
  });

  it('are signatures while the key of the service is being replaced: it may have either', () => {
    const both = { ...present, content: [content, next] };
    const token = new InternalTokenSigner(keysOf('gateway', gateway, both)).sign('gateway', editor, binding);
    expect(algorithmOf(token)).toBe('EdDSA');
    for (const pair of both.content)
      expect(new InternalTokenVerifier(keysOf('content', pair, both)).verify(token, binding)).toEqual(editor);
  });

  it('are valid with either key of the gateway while it is being replaced', () => {
    const both = { ...present, gateway: [gateway, next] };
    const accepting = new InternalTokenVerifier(keysOf('content', content, both));
    for (const pair of both.gateway) {
      const token = new InternalTokenSigner(keysOf('gateway', pair, both)).sign('gateway', editor, binding);
      expect(algorithmOf(token)).toBe('HS256');
      expect(accepting.verify(token, binding)).toEqual(editor);
    }
  });

  it('are signatures for a service without a key', () => {
    const token = signer.sign('gateway', editor, { ...binding, service: 'admin' });
    expect(algorithmOf(token)).toBe('EdDSA');
    const admin = new InternalTokenVerifier({ ...keysOf('admin', next), privateKeys: new Map() });
    expect(admin.verify(token, { ...binding, service: 'admin' })).toEqual(editor);
  });
});

describe('SharedKeys', () => {
  it('agree between issuer and service, and differ by direction and service', () => {
    const ofGateway = new SharedKeys(keysOf('gateway', gateway));
    const toContent = ofGateway.ofIssuer('gateway', 'content');
    const ofContent = new SharedKeys(keysOf('content', content));
    expect(ofContent.ofService('gateway', 'content')).toEqual([toContent]);
    expect(ofContent.ofIssuer('content', 'gateway')).not.toEqual(toContent);
    expect(ofGateway.ofIssuer('gateway', 'media')).not.toEqual(toContent);
  });

  it('are missing for a service that is not of this process, or is unknown', () => {
    const ofContent = new SharedKeys(keysOf('content', content));
    expect(ofContent.ofService('gateway', 'media')).toEqual([]);
    expect(ofContent.ofService('unknown', 'content')).toEqual([]);
    expect(ofContent.ofIssuer('gateway', 'media')).toBeUndefined();
  });
});
