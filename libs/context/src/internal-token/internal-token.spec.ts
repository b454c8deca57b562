import { afterEach, describe, expect, it, jest } from '@jest/globals';
import jwt, { type JwtPayload } from 'jsonwebtoken';
import { systemActor } from '../actors/principal.js';
import {
  internalKey,
  internalTokenAudience,
  internalTokenIssuer,
  InternalTokenSigner,
  isInternalToken,
} from './internal-token.js';

const key = internalKey('a secret of at least thirty-two characters');
const principal = systemActor({ id: 'a', database: null }, 'system:spec');

afterEach(() => void jest.useRealTimers());

describe('the internal token (design 3)', () => {
  it('says who is calling, from whom and to whom, and is valid for a minute', () => {
    const token = new InternalTokenSigner(key).sign(principal);
    const claims = jwt.verify(token, key, {
      algorithms: ['HS256'],
      issuer: internalTokenIssuer,
      audience: internalTokenAudience,
    }) as JwtPayload;
    expect(claims['principal']).toEqual(principal);
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(60);
  });

  it('does not verify under another secret', () => {
    const token = new InternalTokenSigner(key).sign(principal);
    expect(() => jwt.verify(token, internalKey('another secret, as long as the first'))).toThrow(
      'invalid signature',
    );
  });

  it('is known among other texts', () => {
    const token = new InternalTokenSigner(key).sign(principal);
    const forged = new InternalTokenSigner(internalKey('another secret, as long as the first')).sign(
      principal,
    );
    const unsigned = jwt.sign({ principal }, null, { algorithm: 'none' });
    const ofSomebody = jwt.sign({ principal }, key, { issuer: 'somebody', audience: internalTokenAudience });
    jest.useFakeTimers({ now: Date.now() + 61_000 });
    expect(isInternalToken(token, key)).toBe(false);
    jest.useRealTimers();
    expect(
      [token, forged, unsigned, ofSomebody, '', undefined].map((text) => isInternalToken(text, key)),
    ).toEqual([true, false, false, false, false, false]);
  });

  it('is used again for some seconds, and signed anew long before it expires', () => {
    jest.useFakeTimers();
    const signer = new InternalTokenSigner(key);
    const token = signer.sign(principal);
    jest.advanceTimersByTime(14_000);
    expect(signer.sign(principal)).toBe(token);
    jest.advanceTimersByTime(2_000);
    expect(signer.sign(principal)).not.toBe(token);
  });

  it('is one for each principal', () => {
    const signer = new InternalTokenSigner(key);
    const other = systemActor({ id: 'b', database: null }, 'system:spec');
    expect(signer.sign(other)).not.toBe(signer.sign(principal));
  });
});
