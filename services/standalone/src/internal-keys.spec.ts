import { describe, expect, it } from '@jest/globals';
import { loadEnvironment } from '@quire/config';
import { anonymous, InternalTokenSigner, InternalTokenVerifier, type Secrets } from '@quire/context';
import { internalKeysOf, generateInternalKeys } from './internal-keys.js';

const secret = 'a secret of at least thirty-two characters';
const next = 'another secret of at least thirty-two characters';
const printed = Object.fromEntries(
  generateInternalKeys()
    .split('\n')
    .map((line) => line.split('=') as [string, string]),
);
const publicKeys = printed['CMS_INTERNAL_PUBLIC_KEYS'];
/** The environment of a target with the key of a service. */
const environmentOf = (service: string) =>
  loadEnvironment({
    CMS_INTERNAL_PUBLIC_KEYS: publicKeys,
    CMS_INTERNAL_PRIVATE_KEYS: printed[`CMS_INTERNAL_PRIVATE_KEYS_${service.toUpperCase()}`],
  });
const principal = anonymous({ id: 'a', database: null });
const binding = { service: 'content', method: 'GET', path: '/' };

describe('internalKeysOf', () => {
  it('accepts the keys that cms internal-keys prints: each target signs only for its own service', () => {
    const gateway = new InternalTokenSigner(internalKeysOf(environmentOf('gateway'), [secret], ['gateway']));
    const content = internalKeysOf(environmentOf('content'), [secret], ['content', 'content-worker']);
    const token = gateway.sign('gateway', principal, binding);
    expect(new InternalTokenVerifier(content).verify(token, binding)).toEqual(principal);
    expect(() => new InternalTokenSigner(content).sign('gateway', principal, binding)).toThrow(
      'no private key',
    );
  });

  it('needs no private key for a target that signs nothing', () => {
    const admin = loadEnvironment({ CMS_INTERNAL_PUBLIC_KEYS: publicKeys });
    const gateway = new InternalTokenSigner(internalKeysOf(environmentOf('gateway'), [secret], ['gateway']));
    const toAdmin = { ...binding, service: 'admin' };
    const token = gateway.sign('gateway', principal, toAdmin);
    const verifier = new InternalTokenVerifier(internalKeysOf(admin, [secret], ['admin']));
    expect(verifier.verify(token, toAdmin)).toEqual(principal);
  });

  it('derives keys that all targets share from the secret if no keys are configured', () => {
    const [one, other] = [['gateway'], ['content']].map((targets) =>
      internalKeysOf(loadEnvironment({}), [secret], targets),
    );
    const token = new InternalTokenSigner(one!).sign('gateway', principal, binding);
    expect(new InternalTokenVerifier(other!).verify(token, binding)).toEqual(principal);
  });

  it('throws for a target without the key of its service, or with only some public keys', () => {
    expect(() => internalKeysOf(environmentOf('media'), [secret], ['content-worker'])).toThrow(
      'CMS_INTERNAL_PRIVATE_KEYS has no key of content',
    );
    const some = loadEnvironment({
      CMS_INTERNAL_PRIVATE_KEYS: printed['CMS_INTERNAL_PRIVATE_KEYS_MEDIA'],
      CMS_INTERNAL_PUBLIC_KEYS: publicKeys?.split(',')[0],
    });
    expect(() => internalKeysOf(some, [secret], ['media'])).toThrow(
      'CMS_INTERNAL_PUBLIC_KEYS has no key of auth',
    );
  });
});

describe('keys of two secrets (operations G10)', () => {
  /** Whether a service with its secrets accepts the token of a gateway with others. */
  const isAccepted = (gateway: Secrets, service: Secrets) => {
    const keysOf = (secrets: Secrets, target: string) =>
      internalKeysOf(loadEnvironment({}), secrets, [target]);
    const token = new InternalTokenSigner(keysOf(gateway, 'gateway')).sign('gateway', principal, binding);
    try {
      return new InternalTokenVerifier(keysOf(service, 'content')).verify(token, binding) !== undefined;
    } catch {
      return false;
    }
  };

  it.each<[string, Secrets, Secrets]>([
    ['accept the next secret', [secret], [secret, next]],
    ['sign with the next secret', [secret, next], [next, secret]],
    ['forget the former secret', [next, secret], [next]],
  ])('let processes that run before and after the step "%s" call one another', (_, before, after) => {
    expect([isAccepted(before, after), isAccepted(after, before)]).toEqual([true, true]);
  });

  it('do not let a process with only the former secret call one with only the next', () => {
    expect([isAccepted([secret], [next]), isAccepted([next], [secret])]).toEqual([false, false]);
  });
});
