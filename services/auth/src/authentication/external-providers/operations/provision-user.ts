import type { Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { ulid } from '@quire/values';
import { createUser, assertEmailAvailable, userExistsError } from '../../../registration/index.js';
import { acceptsSignups, defaultRoleForDomain } from '../../../users/allowed-domains/index.js';
import { deleteInvite, lockInviteByHash } from '../../../registration/invites/index.js';
import { createFirstAdminFromProvider } from '../../../registration/setup/index.js';
import type { ExternalLogin, ExternalLoginDeps } from '../external-login.js';
import { LoginError } from '../login-error.js';

/** Error codes of an invalid invitation. */
const invalidInviteCodes: ReadonlySet<string> = new Set(['INVALID_TOKEN', 'TOKEN_EXPIRED', 'USER_EXISTS']);

/** The user to create. */
interface ProvisionedUser {
  id: string;
  email: string;
  role: number;
  isEmailVerified: boolean;
}

/**
 * Creates a user for an external login that has no account: from an invitation, an allowed e-mail domain, or as the
 * first admin. Runs in the caller's transaction.
 * @returns the user's id.
 * @throws LoginError invite_…, signup_not_allowed, invalid_state; QuireError USER_EXISTS, ADMIN_EXISTS when a
 * concurrent request has created the user.
 */
export async function provisionUser(
  tx: Transaction,
  deps: ExternalLoginDeps,
  externalLogin: ExternalLogin,
): Promise<string> {
  const newUser = (await invitee(tx, externalLogin)) ?? (await userOfAllowedDomain(tx, deps, externalLogin));
  if (!newUser) return firstUser(tx, deps, externalLogin);
  const { profile, provider } = externalLogin;
  const method = `provider:${provider.id}` as const;
  if (!(await createUser(tx, deps, { ...newUser, name: profile.name, method }))) throw userExistsError();
  return newUser.id;
}

/**
 * Consumes the invitation of an external login. The provider must have verified the invited address. For accounts
 * without an address the link is sufficient, as it is with a passkey.
 * @returns the invited user; undefined without an invitation.
 */
async function invitee(
  tx: Transaction,
  { profile, attempt }: ExternalLogin,
): Promise<ProvisionedUser | undefined> {
  if (attempt.inviteHash === null) return undefined;
  const { email, userId, role, mailed } = await lockProviderInvite(tx, attempt.inviteHash);
  if (profile.email !== null && profile.email.address !== email)
    throw new LoginError('invite_email_mismatch', 'The invitation is for another e-mail address');
  if (profile.email !== null && !profile.email.isVerified)
    throw new LoginError('invite_email_unverified', 'The provider has not verified your e-mail address');
  await deleteInvite(tx, email);
  return { id: userId, email, role, isEmailVerified: profile.email !== null || mailed };
}

async function lockProviderInvite(tx: Transaction, hash: string): ReturnType<typeof lockInviteByHash> {
  try {
    const invite = await lockInviteByHash(tx, hash);
    await assertEmailAvailable(tx, invite.email);
    return invite;
  } catch (cause) {
    if (!(cause instanceof QuireError) || !invalidInviteCodes.has(cause.code)) throw cause;
    throw new LoginError('invite_invalid', cause.message, { cause });
  }
}

async function userOfAllowedDomain(
  tx: Transaction,
  { ctx, defaultRoles }: ExternalLoginDeps,
  { profile }: ExternalLogin,
): Promise<ProvisionedUser | undefined> {
  if (!profile.email?.isVerified || !acceptsSignups(ctx)) return undefined;
  const { address } = profile.email;
  const role = await defaultRoleForDomain(tx, address);
  if (role === undefined) return undefined;
  return { id: ulid(), email: address, role: defaultRoles.cap(role), isEmailVerified: true };
}

async function firstUser(
  tx: Transaction,
  { ctx, audit, setup }: ExternalLoginDeps,
  { provider, profile, attempt, setupLink }: ExternalLogin,
): Promise<string> {
  const method = `provider:${provider.id}` as const;
  const identity = { ...profile, nonceHash: attempt.setupHash, link: setupLink, method };
  const id = provider.setup
    ? await createFirstAdminOrReject(tx, { ctx, audit, access: setup }, identity)
    : undefined;
  if (id === undefined)
    throw new LoginError('signup_not_allowed', 'No account exists for this login; ask for an invitation');
  return id;
}

async function createFirstAdminOrReject(
  ...arguments_: Parameters<typeof createFirstAdminFromProvider>
): ReturnType<typeof createFirstAdminFromProvider> {
  try {
    return await createFirstAdminFromProvider(...arguments_);
  } catch (cause) {
    if (!(cause instanceof QuireError)) throw cause;
    if (cause.code === 'FORBIDDEN') throw new LoginError('signup_not_allowed', cause.message, { cause });
    if (cause.code !== 'INVALID_STATE') throw cause;
    throw new LoginError('invalid_state', cause.message, { cause });
  }
}
