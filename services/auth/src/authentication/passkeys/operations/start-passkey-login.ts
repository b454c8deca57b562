import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type { Context } from '@quire/context';
import type { RateLimit } from '@quire/rate-limit';
import { ulid } from '@quire/values';
import { enforceRateLimit } from '../../../rate-limits/index.js';
import { siteMac } from '../../../site-key/index.js';
import { normaliseEmail } from '../../../users/index.js';
import { insertChallenge } from '../challenges.repository.js';
import { decoyPasskeys } from '../decoy-passkeys.js';
import type { PasskeyDeps } from '../passkey-deps.js';
import { selectLoginPasskeys, type Descriptor } from '../passkeys.repository.js';
import type { AuthenticationOptions } from '../passkeys.schemas.js';

const perMinute: RateLimit = { name: 'passkey-options', limit: 10, windowSeconds: 60 };
const timeoutMs = 60_000;

/** The passkeys that are valid for a login. */
interface RequestedPasskeys {
  /** Null for any user. */
  userId: string | null;
  passkeys: Descriptor[];
}

/**
 * Creates the options with which a browser signs in with a passkey: any of the site's, or one of the user with the
 * given address. The response does not reveal whether an address has a user with passkeys: without passkeys it lists
 * decoys, and without a user the challenge is valid for none (decision 56).
 * @throws QuireError RATE_LIMITED, VALIDATION_ERROR for an invalid address.
 */
export async function startPasskeyLogin(
  ctx: Context,
  { parties, limiter }: PasskeyDeps,
  email: string | undefined,
): Promise<AuthenticationOptions> {
  const party = parties.of(ctx);
  await enforceRateLimit(ctx, limiter, perMinute);
  const { userId, passkeys } =
    email === undefined ? anyPasskey : await selectRequestedPasskeys(ctx, normaliseEmail(email));
  const { challenge } = await generateAuthenticationOptions({ rpID: party.id });
  await insertChallenge(ctx.db, challenge, { purpose: 'log-in', userId, passkeyName: null });
  return {
    challenge,
    rpId: party.id,
    timeout: timeoutMs,
    userVerification: 'preferred',
    ...(passkeys.length > 0 ? { allowCredentials: passkeys } : {}),
  };
}

const anyPasskey: RequestedPasskeys = { userId: null, passkeys: [] };

/** Does the same work for every address, so that the response time reveals nothing. */
async function selectRequestedPasskeys(ctx: Context, email: string): Promise<RequestedPasskeys> {
  const known = await selectLoginPasskeys(ctx.db, email);
  const decoys = decoyPasskeys(await siteMac(ctx.db, 'passkeys'), email);
  const unusedId = ulid();
  return {
    userId: known?.userId ?? unusedId,
    passkeys: known && known.passkeys.length > 0 ? known.passkeys : decoys,
  };
}
