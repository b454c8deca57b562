import type { Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { signIn } from '../../sessions/index.js';
import type { ExternalLogin, ExternalLoginDeps } from '../external-login.js';
import { LoginError } from '../login-error.js';
import {
  insertLoginAccount,
  updateLoginAccountUse,
  selectAccountUser,
  updateEmailVerified,
} from '../providers.repository.js';
import { provisionUser } from './provision-user.js';

/**
 * Resolves the user of an external account and signs them in, in the caller's transaction, in the order of contract 29:
 * the user of the account; the user of the same verified address, to whom it links the account; a new user by
 * invitation or allowed domain; the first user of the site.
 * @returns the text of the session's cookie.
 * @throws LoginError invite_…, signup_not_allowed, invalid_state, user_not_found; QuireError CONFLICT, USER_EXISTS,
 * ADMIN_EXISTS after a concurrent request.
 */
export async function signInExternalUser(
  tx: Transaction,
  deps: ExternalLoginDeps,
  externalLogin: ExternalLogin,
): Promise<string> {
  const { provider, profile, userAgent } = externalLogin;
  const account = { provider: provider.id, accountId: profile.accountId };
  const userId =
    (await selectAccountUser(tx, account)) ??
    (await linkByVerifiedEmail(tx, deps, externalLogin)) ??
    (await newUser(tx, deps, externalLogin));
  deps.setSubject(userId);
  const session = await signInUser(tx, deps, { userId, method: `provider:${provider.id}`, userAgent });
  await updateLoginAccountUse(tx, account);
  return session;
}

/** @throws LoginError user_not_found for a disabled user. */
async function signInUser(...call: Parameters<typeof signIn>): Promise<string> {
  try {
    return await signIn(...call);
  } catch (cause) {
    if (!(cause instanceof QuireError) || cause.code !== 'ACCOUNT_DISABLED') throw cause;
    throw new LoginError('user_not_found', 'No account exists for this login', { cause });
  }
}

/** An address that the provider has verified is sufficient: it could also receive a sign-in link. */
async function linkByVerifiedEmail(
  tx: Transaction,
  { ctx, audit }: ExternalLoginDeps,
  { provider, profile }: ExternalLogin,
): Promise<string | undefined> {
  if (!profile.email?.isVerified) return undefined;
  const userId = await updateEmailVerified(tx, profile.email.address);
  if (userId === undefined) return undefined;
  const id = await link(tx, { provider, profile, userId });
  await audit.record(tx, {
    by: ctx,
    actorId: userId,
    action: 'credential.added',
    target: { type: 'credential', id },
    userId,
    details: { kind: 'provider' },
  });
  return userId;
}

async function newUser(
  tx: Transaction,
  deps: ExternalLoginDeps,
  externalLogin: ExternalLogin,
): Promise<string> {
  const userId = await provisionUser(tx, deps, externalLogin);
  await link(tx, { ...externalLogin, userId });
  return userId;
}

function link(
  tx: Transaction,
  { provider, profile, userId }: Pick<ExternalLogin, 'provider' | 'profile'> & { userId: string },
): Promise<string> {
  const email = profile.email?.address ?? null;
  return insertLoginAccount(tx, { provider: provider.id, accountId: profile.accountId, userId, email });
}
