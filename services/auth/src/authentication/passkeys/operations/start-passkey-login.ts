import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type { Context } from '@quire/context';
import type { RateLimit } from '@quire/rate-limit';
import { ulid } from 'ulid';
import { enforceRateLimit } from '../../../rate-limits/index.js';
import { siteMac } from '../../../site-key/index.js';
import { normaliseEmail } from '../../../users/index.js';
import { storeChallenge } from '../challenges.js';
import { decoyPasskeys } from '../decoy-passkeys.js';
import type { PasskeyDeps } from '../passkey-deps.js';
import { selectLoginPasskeys, type Descriptor } from '../passkeys.repository.js';
import type { AuthenticationOptions } from '../passkeys.schemas.js';

const perMinute: RateLimit = { name: 'passkey-options', limit: 10, windowSeconds: 60 };
const timeoutMs = 60_000;

/** Whose passkey is asked for. */
interface RequestedPasskeys {
  /** Null for anybody's. */
  userId: string | null;
  passkeys: Descriptor[];
}

/**
 * What a browser needs to sign in with a passkey: any of the site's, or those of a user whose address is given. Whether
 * an address has a user, and whether that one has passkeys, is told by nothing: who has none is given invented ones,
 * and the challenge is good for nobody (decision 56).
 * @throws QuireError RATE_LIMITED, VALIDATION_ERROR for what is no address.
 */
export async function startPasskeyLogin(
  ctx: Context,
  { parties, limiter }: PasskeyDeps,
  email: string | undefined,
): Promise<AuthenticationOptions> {
  const party = parties.of(ctx);
  await enforceRateLimit(ctx, limiter, perMinute);
  const { userId, passkeys } =
    email === undefined ? anybody : await selectRequestedPasskeys(ctx, normaliseEmail(email));
  const { challenge } = await generateAuthenticationOptions({ rpID: party.id });
  await storeChallenge(ctx.db, challenge, { purpose: 'log-in', userId, passkeyName: null });
  return {
    challenge,
    rpId: party.id,
    timeout: timeoutMs,
    userVerification: 'preferred',
    ...(passkeys.length > 0 ? { allowCredentials: passkeys } : {}),
  };
}

const anybody: RequestedPasskeys = { userId: null, passkeys: [] };

/** The same work for every address. */
async function selectRequestedPasskeys(ctx: Context, email: string): Promise<RequestedPasskeys> {
  const known = await selectLoginPasskeys(ctx.db, email);
  const decoys = decoyPasskeys(await siteMac(ctx.db, 'passkeys'), email);
  const nobody = ulid();
  return {
    userId: known?.userId ?? nobody,
    passkeys: known && known.passkeys.length > 0 ? known.passkeys : decoys,
  };
}
