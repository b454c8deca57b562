import { createSigner, createVerifier, createDecoder } from 'fast-jwt';
import { LRUCache } from 'lru-cache';
import type { Principal } from '../actors/principal.js';
import { gatewayIssuer, type InternalKeys } from './internal-keys.js';

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

/** Signs the principal of one request to one service (design 3). */
export class InternalTokenSigner {
  private readonly signers: ReadonlyMap<string, (claims: Claims & { aud: string }) => string>;
  private readonly signed = new LRUCache<string, string>({ max: maxSigned, ttl: reuseMs, perf: Date });
  private readonly principalIds = new WeakMap<Principal, number>();
  private principals = 0;

  constructor({ privateKeys }: InternalKeys) {
    this.signers = new Map(
      [...privateKeys].map(([iss, key]) => [
        iss,
        createSigner({
          key: String(key.export({ format: 'pem', type: 'pkcs8' })),
          algorithm: 'EdDSA',
          kid: iss,
          iss,
          expiresIn: lifetimeMs,
        }) as (claims: Claims & { aud: string }) => string,
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
    const key = `${this.idOf(principal)} ${issuer} ${service} ${method} ${path}`;
    let token = this.signed.get(key);
    if (token === undefined) {
      token = sign({ principal, method, path, aud: service });
      this.signed.set(key, token);
    }
    return token;
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
  private readonly verifiers: ReadonlyMap<string, readonly ((token: string) => unknown)[]>;
  private readonly issuerOf = createDecoder({ complete: true });

  constructor({ publicKeys }: InternalKeys) {
    this.verifiers = new Map(
      [...publicKeys].map(([issuer, keys]) => [
        issuer,
        keys.map((key) =>
          createVerifier({
            key: String(key.export({ format: 'pem', type: 'spki' })),
            algorithms: ['EdDSA'],
            allowedIss: issuer,
            requiredClaims: ['iss', 'aud', 'exp'],
            cache: maxVerified,
            cacheTTL: lifetimeMs,
          }),
        ),
      ]),
    );
  }

  /**
   * Returns the principal of a token. The gateway may sign for every caller, another service only for itself.
   * @throws Error when the token is invalid, or valid for another request
   */
  verify(token: string, binding: TokenBinding): Principal {
    const { header } = this.issuerOf(token) as { header: { kid?: string } };
    const claims = this.verifyAny(token, header.kid ?? '');
    const isBound =
      claims.aud === binding.service && claims.method === binding.method && claims.path === binding.path;
    if (!isBound) throw new Error('The internal token is for another request');
    const { principal } = claims;
    if (header.kid !== gatewayIssuer && principal.kind !== 'system')
      throw new Error('Only the gateway vouches for callers');
    return principal;
  }

  private verifyAny(token: string, issuer: string): Claims & { aud: string } {
    const failures: unknown[] = [];
    for (const verify of this.verifiers.get(issuer) ?? []) {
      try {
        return verify(token) as Claims & { aud: string };
      } catch (error) {
        failures.push(error);
      }
    }
    throw new Error('The internal token is not valid', { cause: failures.at(-1) });
  }
}
