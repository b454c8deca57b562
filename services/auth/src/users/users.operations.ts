import type { Context } from '@quire/context';
import { cursorScope, KeysetPage, type Transaction } from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import type { authApi, ResponseOf } from '@quire/internal-api';
import type { Role } from '@quire/permissions';
import { ulid } from '@quire/values';
import { normaliseEmail } from './email.js';
import { lockUser } from './lock-user.js';
import type { UserDeps } from './user-deps.js';
import { User } from './user.entity.js';
import {
  insertUser,
  selectIdsByEmail,
  selectPublicUsers,
  selectUser,
  selectUsers,
  updateUserDisabled,
  userOrder,
} from './users.repository.js';
import type { UserDetail, UserQuery, UserResponse } from './users.schemas.js';

/** @returns one page of the users, newest first (contract 24). @throws QuireError INVALID_CURSOR */
export async function listUsers(
  ctx: Context,
  { credentials }: UserDeps,
  { cursor, limit, ...filters }: UserQuery,
): Promise<{ items: UserResponse[]; nextCursor?: string }> {
  const scope = cursorScope({ operation: 'listUsers', tenant: ctx.principal.tenant.id, filters });
  const keyset = new KeysetPage(userOrder, scope, { cursor, limit });
  const rows = await selectUsers(ctx.db, filters, keyset);
  const page = keyset.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
  const ids = page.items.map(({ id }) => id);
  const counts = await credentials.countsOf(ctx.db, ids);
  const none = { credentialCount: 0, oauthProviders: [] };
  return { ...page, items: page.items.map((user) => ({ ...user, ...(counts.get(user.id) ?? none) })) };
}

/** @returns a user with their credentials. @throws QuireError NOT_FOUND */
export async function getUser(ctx: Context, { credentials }: UserDeps, id: string): Promise<UserDetail> {
  const user = await selectUser(ctx.db, id);
  if (!user) throw notFound('user');
  return { ...user, ...(await credentials.of(ctx.db, id)) };
}

/**
 * Disables a user (contract 4, 24): revokes grants of applications, withdraws the user's pending invitations and
 * invalidates cached credentials. Sessions end at their next request with ACCOUNT_DISABLED; tokens are suspended until
 * the user is enabled. Disabling a disabled user succeeds.
 * @throws QuireError NOT_FOUND, LAST_ADMIN (decision 45), VALIDATION_ERROR (own account), FORBIDDEN.
 */
export async function disableUser(ctx: Context, deps: UserDeps, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { user, isLastAdmin, assertStillAdmin } = await lockUser(tx, ctx, id);
    if (isLastAdmin) throw new QuireError('LAST_ADMIN', 'The last active administrator cannot be disabled');
    if (id === ctx.principal.userId)
      throw new QuireError('VALIDATION_ERROR', 'You cannot disable your own account');
    assertStillAdmin();
    await deps.access.revokeGrants(tx, id);
    await deps.access.withdrawUserInvites(
      tx,
      { ctx, audit: deps.audit },
      { userId: id, reason: 'inviter-disabled' },
    );
    if (!user.disabled) {
      await updateUserDisabled(tx, id, true);
      await deps.audit.record(tx, { by: ctx, action: 'user.disabled', target: { type: 'user', id } });
    }
    tx.afterCommit(() => deps.relay.invalidate('credentials', ctx.principal.tenant.id, id));
  });
}

/**
 * Enables a user: tokens work again, all earlier sessions are revoked. Enabling an enabled user succeeds.
 * @throws QuireError NOT_FOUND, FORBIDDEN.
 */
export async function enableUser(ctx: Context, deps: UserDeps, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { user, assertStillAdmin } = await lockUser(tx, ctx, id);
    assertStillAdmin();
    if (!user.disabled) return;
    await deps.access.revokeSessions(tx, id);
    await updateUserDisabled(tx, id, false);
    await deps.audit.record(tx, { by: ctx, action: 'user.enabled', target: { type: 'user', id } });
    tx.afterCommit(() => deps.relay.invalidate('credentials', ctx.principal.tenant.id, id));
  });
}

/**
 * Creates a user unless the e-mail address has one. The role of an existing user is unchanged.
 * @returns the user.
 * @throws QuireError VALIDATION_ERROR for an invalid address.
 */
export async function ensureUser(
  tx: Transaction,
  { email, role, name }: { email: string; role: Role; name?: string | undefined },
): Promise<User> {
  const address = normaliseEmail(email);
  await insertUser(tx, { id: ulid(), email: address, name: name ?? null, role, isEmailVerified: false });
  return tx.repository(User).findOneByOrFail({ email: address });
}

/** @returns the users with these ids, ordered by id; unknown ids are omitted. */
export function usersByIds(ctx: Context, ids: readonly string[]): Promise<authApi.PublicUser[]> {
  return selectPublicUsers(ctx.db, ids);
}

/**
 * @param emails in any spelling; invalid ones belong to no user
 * @returns the users who have the addresses, each with the address as it was given, in the given order.
 */
export async function usersByEmails(
  ctx: Context,
  emails: readonly string[],
): Promise<ResponseOf<typeof authApi.usersByEmails>['items']> {
  const given = emails.flatMap((email) => normalised(email).map((address) => ({ email, address })));
  const ids = await selectIdsByEmail(
    ctx.db,
    given.map(({ address }) => address),
  );
  return given.flatMap(({ email, address }) => {
    const id = ids.get(address);
    return id === undefined ? [] : [{ id, email }];
  });
}

function normalised(email: string): string[] {
  try {
    return [normaliseEmail(email)];
  } catch {
    return [];
  }
}
