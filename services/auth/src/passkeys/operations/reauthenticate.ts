import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type { Context } from '@quire/context';
import { newSessionText } from '@quire/http-server';
import { QuireError } from '@quire/errors';
import type { CacheRelay } from '@quire/messages';
import { requireRecentAuthentication } from '@quire/operation';
import { tellingRefusals } from '../../audit/index.js';
import { renewSession } from '../../sessions/index.js';
import { tokenHash } from '../../tokens/index.js';
import { keepChallenge } from '../challenges.js';
import type { AuthenticationCredential, AuthenticationOptions } from '../passkeys.schemas.js';
import type { PasskeyServices } from '../passkey-services.js';
import { descriptorsOf } from '../passkeys.repository.js';
import { assertionFailed, checkAssertion, needsUserVerification, storeUse } from './check-assertion.js';

const purpose = 'reauthenticate';
const timeoutMs = 60_000;

/**
 * What the caller's browser needs to sign with one of his passkeys.
 * @throws QuireError REAUTHENTICATION_REQUIRED when he has none: then he signs in again.
 */
export async function startReauthentication(
  ctx: Context,
  { parties }: PasskeyServices,
): Promise<AuthenticationOptions> {
  const party = parties.of(ctx);
  const { userId, role } = ctx.principal;
  const allowCredentials = userId === null ? [] : await descriptorsOf(ctx.db, userId);
  if (allowCredentials.length === 0)
    throw new QuireError('REAUTHENTICATION_REQUIRED', 'You have no passkey to use: sign in again');
  const { challenge } = await generateAuthenticationOptions({ rpID: party.id });
  await keepChallenge(ctx.db, challenge, { purpose, userId, passkeyName: null });
  return {
    challenge,
    rpId: party.id,
    timeout: timeoutMs,
    userVerification: needsUserVerification(role) ? 'required' : 'preferred',
    allowCredentials,
  };
}

/**
 * Takes the use of a passkey for a sign-in of the caller's session, which goes on under another cookie (decision 58).
 * @returns the text of the session's new cookie.
 * @throws QuireError UNAUTHORIZED, NOT_AUTHENTICATED when the session is over.
 */
export async function reauthenticate(
  ctx: Context,
  services: PasskeyServices & { relay: CacheRelay },
  credential: AuthenticationCredential,
): Promise<string> {
  const { tenant, sessionId = '' } = ctx.principal;
  const text = newSessionText(ctx.origin);
  const assertion = await checkOwn(ctx, services, credential);
  await ctx.db.transaction(async (tx) => {
    await storeUse(tx, assertion);
    const { userId } = assertion;
    if (!(await renewSession(tx, { id: sessionId, userId, tokenHash: tokenHash(text) })))
      throw new QuireError('NOT_AUTHENTICATED', 'Your session is over: sign in again');
    const target = { type: 'session', id: sessionId } as const;
    await services.audit.record(tx, { by: ctx, action: 'session.reauthenticated', target, userId });
    tx.afterCommit(() => services.relay.drop('credentials', tenant.id));
  });
  return text;
}

/**
 * Makes sure that the caller himself is there at this moment: by the use of one of his passkeys or, where he has none, by a sign-in
 * of the last minutes (decision 57).
 * @throws QuireError REAUTHENTICATION_REQUIRED, UNAUTHORIZED for a passkey that does not hold.
 */
export async function requirePresence(
  ctx: Context,
  services: PasskeyServices,
  credential: AuthenticationCredential | undefined,
): Promise<void> {
  if (credential !== undefined) {
    const assertion = await checkOwn(ctx, services, credential);
    return ctx.db.transaction((tx) => storeUse(tx, assertion));
  }
  if (await hasPasskeys(ctx))
    throw new QuireError('REAUTHENTICATION_REQUIRED', 'Use a passkey to allow this');
  requireRecentAuthentication(ctx.principal);
}

/** Whether the caller has a passkey. */
export async function hasPasskeys(ctx: Context): Promise<boolean> {
  const { userId } = ctx.principal;
  return userId !== null && (await descriptorsOf(ctx.db, userId)).length > 0;
}

function checkOwn(ctx: Context, services: PasskeyServices, credential: AuthenticationCredential) {
  return tellingRefusals(ctx, { ...services, method: 'passkey' }, async (isAbout) => {
    const attempt = { credential, purpose, isAbout } as const;
    const assertion = await checkAssertion(ctx, services.parties, attempt);
    if (assertion.userId !== ctx.principal.userId) throw assertionFailed();
    return assertion;
  });
}
