import { createSecretKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Principal } from '../actors/principal.js';

/** Header that carries the internal token between targets. The gateway removes any inbound copy. */
export const internalTokenHeader = 'x-cms-internal';
/** Header that carries the request id between targets and back to the client. */
export const requestIdHeader = 'x-request-id';
/** Header that carries the client's IP address between targets. The gateway removes any inbound copy. */
export const clientAddressHeader = 'x-cms-client-address';
/** Header that carries the origin at which the client reached the site, between targets. */
export const originHeader = 'x-cms-origin';

export const internalTokenIssuer = 'quire-gateway';
export const internalTokenAudience = 'quire-service';

const lifetimeSeconds = 60;
/** A signed token is used again for this long, so that a busy client does not cost a signature a request. */
const reuseMs = 15_000;
const maximumSigned = 5_000;

/**
 * The key of internal tokens. A KeyObject, not the text: with text, every verification first tries to read it as a
 * public key, which costs more than the rest of the request.
 */
export function internalKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret, 'utf8'));
}

/** Signs what the gateway vouches for (design 3). */
export class InternalTokenSigner {
  private readonly signed = new Map<Principal, { token: string; until: number }>();

  constructor(private readonly key: KeyObject) {}

  sign(principal: Principal): string {
    const known = this.signed.get(principal);
    if (known && known.until > Date.now()) return known.token;
    const token = jwt.sign({ principal }, this.key, {
      algorithm: 'HS256',
      issuer: internalTokenIssuer,
      audience: internalTokenAudience,
      expiresIn: lifetimeSeconds,
    });
    if (this.signed.size >= maximumSigned) this.signed.clear();
    this.signed.set(principal, { token, until: Date.now() + reuseMs });
    return token;
  }
}

/** Whether a token was signed by this installation, and lately: what it says of its bearer is for the service to read. */
export function isInternalToken(token: unknown, key: KeyObject): boolean {
  if (typeof token !== 'string') return false;
  try {
    jwt.verify(token, key, {
      algorithms: ['HS256'],
      issuer: internalTokenIssuer,
      audience: internalTokenAudience,
    });
    return true;
  } catch {
    return false;
  }
}
