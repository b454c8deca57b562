import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type { Context } from '@quire/context';
import { createSessionToken } from '@quire/http-server';
import { QuireError } from '@quire/errors';
import type { CacheInvalidationBus } from '@quire/jobs';
import { assertRecentAuthentication } from '@quire/operation';
import { auditFailedSignIn } from '../../../audit/index.js';
import { renewSession } from '../../sessions/index.js';
import { tokenHash } from '../../api-tokens/index.js';
import { insertChallenge } from '../challenges.repository.js';
import type { AuthenticationCredential, AuthenticationOptions } from '../passkeys.schemas.js';
import type { PasskeyDeps } from '../passkey-deps.js';
import { selectDescriptors } from '../passkeys.repository.js';
import {
  assertionFailedError,
  verifyAssertion,
  needsUserVerification,
  recordPasskeyUse,
} from './verify-assertion.js';

const purpose = 'reauthenticate';
const timeoutMs = 60_000;

/**
 * Creates the options with which the caller's browser signs with one of their passkeys.
 * @throws QuireError REAUTHENTICATION_REQUIRED when they have none and must sign in again.
 */
export async function startReauthentication(
  ctx: Context,
  { parties }: PasskeyDeps,
): Promise<AuthenticationOptions> {
  const party = parties.of(ctx);
  const { userId, role } = ctx.principal;
  const allowCredentials = userId === null ? [] : await selectDescriptors(ctx.db, userId);
  if (allowCredentials.length === 0)
    throw new QuireError('REAUTHENTICATION_REQUIRED', 'You have no passkey; sign in again');
  const { challenge } = await generateAuthenticationOptions({ rpID: party.id });
  await insertChallenge(ctx.db, challenge, { purpose, userId, passkeyName: null });
  return {
    challenge,
    rpId: party.id,
    timeout: timeoutMs,
    userVerification: needsUserVerification(role) ? 'required' : 'preferred',
    allowCredentials,
  };
}

/**
 * Accepts the use of a passkey as a sign-in of the caller's session, which gets another cookie (decision 58).
 * @returns the text of the session's new cookie.
 * @throws QuireError UNAUTHORIZED, NOT_AUTHENTICATED when the session has expired.
 */
export async function reauthenticate(
  ctx: Context,
  deps: PasskeyDeps & { relay: CacheInvalidationBus },
  credential: AuthenticationCredential,
): Promise<string> {
  const { tenant, sessionId = '' } = ctx.principal;
  const text = createSessionToken(ctx.origin);
  const assertion = await verifyOwnAssertion(ctx, deps, credential);
  await ctx.db.transaction(async (tx) => {
    await recordPasskeyUse(tx, assertion);
    const { userId } = assertion;
    if (!(await renewSession(tx, { id: sessionId, userId, tokenHash: tokenHash(text) })))
      throw new QuireError('NOT_AUTHENTICATED', 'Your session has expired; sign in again');
    const target = { type: 'session', id: sessionId } as const;
    await deps.audit.record(tx, { by: ctx, action: 'session.reauthenticated', target, userId });
    tx.afterCommit(() => deps.relay.invalidate('credentials', tenant.id, userId));
  });
  return text;
}

/**
 * Asserts that the caller is present: by the use of one of their passkeys or, without passkeys, by a recent sign-in
 * (decision 57).
 * @throws QuireError REAUTHENTICATION_REQUIRED, UNAUTHORIZED for an invalid signature.
 */
export async function assertUserPresent(
  ctx: Context,
  deps: PasskeyDeps,
  credential: AuthenticationCredential | undefined,
): Promise<void> {
  if (credential !== undefined) {
    const assertion = await verifyOwnAssertion(ctx, deps, credential);
    return ctx.db.transaction((tx) => recordPasskeyUse(tx, assertion));
  }
  if (await hasPasskeys(ctx))
    throw new QuireError('REAUTHENTICATION_REQUIRED', 'Use a passkey to allow this');
  assertRecentAuthentication(ctx.principal);
}

/** Whether the caller has a passkey. */
export async function hasPasskeys(ctx: Context): Promise<boolean> {
  const { userId } = ctx.principal;
  return userId !== null && (await selectDescriptors(ctx.db, userId)).length > 0;
}

function verifyOwnAssertion(ctx: Context, deps: PasskeyDeps, credential: AuthenticationCredential) {
  return auditFailedSignIn(ctx, { ...deps, method: 'passkey' }, async (setSubject) => {
    const attempt = { credential, purpose, setSubject } as const;
    const assertion = await verifyAssertion(ctx, deps.parties, attempt);
    if (assertion.userId !== ctx.principal.userId) throw assertionFailedError();
    return assertion;
  });
}
