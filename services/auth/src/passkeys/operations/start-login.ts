import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type { Context } from '@quire/context';
import type { RateLimit } from '@quire/rate-limit';
import { requireAllowance } from '../../allowance/index.js';
import { normalisedEmail } from '../../users/index.js';
import { keepChallenge } from '../challenges.js';
import type { PasskeyServices } from '../passkey-services.js';
import { descriptorsOf } from '../passkeys.repository.js';
import type { AuthenticationOptions } from '../passkeys.schemas.js';

const perMinute: RateLimit = { name: 'passkey-options', limit: 10, windowSeconds: 60 };
const timeoutMs = 60_000;

/**
 * What a browser needs to sign in with a passkey: any of the site's, or those of a user whose address is given. An address
 * that nobody has is answered like that of a user without passkeys.
 * @throws QuireError RATE_LIMITED, VALIDATION_ERROR for what is no address.
 */
export async function startLogin(
  ctx: Context,
  { parties, limiter }: PasskeyServices,
  email: string | undefined,
): Promise<AuthenticationOptions> {
  const party = parties.of(ctx);
  await requireAllowance(ctx, limiter, perMinute);
  const userId = email === undefined ? null : await userIdOf(ctx, normalisedEmail(email));
  const allowCredentials = userId === null ? [] : await descriptorsOf(ctx.db, userId);
  const { challenge } = await generateAuthenticationOptions({ rpID: party.id });
  await keepChallenge(ctx.db, challenge, { purpose: 'log-in', userId, passkeyName: null });
  return {
    challenge,
    rpId: party.id,
    timeout: timeoutMs,
    userVerification: 'preferred',
    ...(allowCredentials.length > 0 ? { allowCredentials } : {}),
  };
}

async function userIdOf(ctx: Context, email: string): Promise<string | null> {
  const [user] = await ctx.db.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]);
  return user?.id ?? null;
}
