import { createCache } from '@quire/observability';
import { createSigner, createVerifier } from 'fast-jwt';
import type { Principal } from '../actors/principal.js';
import { gatewayIssuer, type InternalKeys } from './internal-keys.js';
import { SharedKeys } from './shared-keys.js';

/** Header that carries the internal token between targets. The gateway removes any inbound copy. */
export const internalTokenHeader = 'x-cms-internal';
/** Header that carries the request id between targets and back to the client. */
export const requestIdHeader = 'x-request-id';
/** Header that carries the client's IP address between targets. The gateway removes any inbound copy. */
export const clientAddressHeader = 'x-cms-client-address';
/** Header that carries the origin at which the client reached the site, between targets. */
export const originHeader = 'x-cms-origin';

/** The one request that an internal token is valid for. */
export interface TokenBinding {
  /** The called service: "content". */
  service: string;
  /** HTTP method in upper case. */
  method: string;
  /** Path without the query. */
  path: string;
}

interface Claims {
  principal: Principal;
  method: string;
  path: string;
}

const lifetimeMs = 60_000;
/** A signature costs about as much as the rest of a proxied read, so equal requests share one for this time. */
const reuseMs = 15_000;
const maxSigned = 5_000;
const maxVerified = 5_000;

type Sign = (claims: Claims & { aud: string }) => string;
type Verify = (token: string) => Claims & { aud: string };

/**
 * Signs the principal of one request to one service (design 3): with a key that only the issuer and the service have,
 * or, where they have none, with the private key of the issuer.
 */
export class InternalTokenSigner {
  private readonly signers: ReadonlyMap<string, Sign>;
  private readonly sharedKeys: SharedKeys;
  /** By issuer and service; undefined where they share no key. */
  private readonly sharedSigners = new Map<string, Sign | undefined>();
  private readonly signed = createCache<string>('internal_tokens', {
    max: maxSigned,
    ttl: reuseMs,
    perf: Date,
  });
  private readonly principalIds = new WeakMap<Principal, number>();
  private principals = 0;

  constructor(keys: InternalKeys) {
    this.sharedKeys = new SharedKeys(keys);
    this.signers = new Map(
      [...keys.privateKeys].map(([iss, key]) => [
        iss,
        signerOf(iss, 'EdDSA', String(key.export({ format: 'pem', type: 'pkcs8' }))),
      ]),
    );
  }

  /**
   * @param issuer the service that signs: the gateway, or a service that calls as itself
   * @throws Error when this process has no key of the issuer
   */
  sign(issuer: string, principal: Principal, { service, method, path }: TokenBinding): string {
    const sign = this.signers.get(issuer);
    if (!sign) throw new Error(`This process has no private key of ${issuer}`);
    const signShared = this.sharedSigner(issuer, service);
    if (signShared) return signShared({ principal, method, path, aud: service });
    const key = `${this.idOf(principal)} ${issuer} ${service} ${method} ${path}`;
    let token = this.signed.get(key);
    if (token === undefined) {
      token = sign({ principal, method, path, aud: service });
      this.signed.set(key, token);
    }
    return token;
  }

  private sharedSigner(issuer: string, service: string): Sign | undefined {
    const id = `${issuer} ${service}`;
    if (!this.sharedSigners.has(id)) {
      const key = this.sharedKeys.ofIssuer(issuer, service);
      this.sharedSigners.set(id, key && signerOf(issuer, 'HS256', key));
    }
    return this.sharedSigners.get(id);
  }

  /** Principals are cached by the authenticators, so equal objects mean equal principals. */
  private idOf(principal: Principal): number {
    let id = this.principalIds.get(principal);
    if (id === undefined) this.principalIds.set(principal, (id = this.principals += 1));
    return id;
  }
}

/** Verifies internal tokens of other processes. */
export class InternalTokenVerifier {
  private readonly verifiers: ReadonlyMap<string, readonly Verify[]>;
  private readonly sharedKeys: SharedKeys;
  /** By issuer and service. */
  private readonly sharedVerifiers = new Map<string, readonly Verify[]>();

  constructor(keys: InternalKeys) {
    this.sharedKeys = new SharedKeys(keys);
    this.verifiers = new Map(
      [...keys.publicKeys].map(([issuer, publicKeys]) => [
        issuer,
        publicKeys.map((key) =>
          verifierOf(issuer, 'EdDSA', String(key.export({ format: 'pem', type: 'spki' }))),
        ),
      ]),
    );
  }

  /**
   * Returns the principal of a token. The gateway may sign for every caller, another service only for itself.
   * @throws Error when the token is invalid, or valid for another request
   */
  verify(token: string, binding: TokenBinding): Principal {
    const { kid: issuer = '', alg } = headerOf(token);
    const verifiers =
      alg === 'HS256' ? this.sharedVerifiersOf(issuer, binding.service) : this.verifiers.get(issuer);
    const claims = verifyAny(token, verifiers ?? []);
    const isBound =
      claims.aud === binding.service && claims.method === binding.method && claims.path === binding.path;
    if (!isBound) throw new Error('The internal token is for another request');
    const { principal } = claims;
    if (issuer !== gatewayIssuer && principal.kind !== 'system')
      throw new Error('Only the gateway vouches for callers');
    return principal;
  }

  private sharedVerifiersOf(issuer: string, service: string): readonly Verify[] {
    const id = `${issuer} ${service}`;
    const known = this.sharedVerifiers.get(id);
    if (known) return known;
    const keys = this.sharedKeys.ofService(issuer, service);
    const verifiers = keys.map((key) => verifierOf(issuer, 'HS256', key));
    // Other names are not stored: the sender of a token chooses them.
    if (verifiers.length > 0) this.sharedVerifiers.set(id, verifiers);
    return verifiers;
  }
}

function signerOf(iss: string, algorithm: 'EdDSA' | 'HS256', key: string | Buffer): Sign {
  return createSigner({ key, algorithm, kid: iss, iss, expiresIn: lifetimeMs }) as Sign;
}

/** Signatures are remembered: verifying one costs more than the rest of a small request. */
function verifierOf(issuer: string, algorithm: 'EdDSA' | 'HS256', key: string | Buffer): Verify {
  return createVerifier({
    key,
    algorithms: [algorithm],
    allowedIss: issuer,
    requiredClaims: ['iss', 'aud', 'exp'],
    ...(algorithm === 'EdDSA' ? { cache: maxVerified, cacheTTL: lifetimeMs } : {}),
  }) as Verify;
}

/** The header of a token, which is not verified yet. @throws SyntaxError for a text that is no token */
function headerOf(token: string): { kid?: string; alg?: string } {
  const text = Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString();
  return JSON.parse(text) as { kid?: string; alg?: string };
}

function verifyAny(token: string, verifiers: readonly Verify[]): Claims & { aud: string } {
  const failures: unknown[] = [];
  for (const verify of verifiers) {
    try {
      return verify(token);
    } catch (error) {
      failures.push(error);
    }
  }
  throw new Error('The internal token is not valid', { cause: failures.at(-1) });
}
