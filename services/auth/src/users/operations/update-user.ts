import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { roles } from '@quire/permissions';
import { normaliseEmail } from '../email.js';
import { lockUser, type LockedUser } from '../lock-user.js';
import type { UserDeps } from '../user-deps.js';
import { updateUserRow, type UserRow } from '../users.repository.js';
import type { UserUpdate } from '../users.schemas.js';

/**
 * Updates a user's name, address or role (contract 24). A new role applies from the next request: sessions are revoked,
 * and tokens are limited to the scopes of the role. Pending invitations of a demoted administrator are withdrawn.
 * @returns the user; unchanged when the update has no effect.
 * @throws QuireError NOT_FOUND, SELF_ROLE_CHANGE, LAST_ADMIN, EMAIL_IN_USE, VALIDATION_ERROR (address), FORBIDDEN.
 */
export async function updateUser(
  ctx: Context,
  deps: UserDeps,
  id: string,
  update: UserUpdate,
): Promise<UserRow> {
  const email = update.email === undefined ? undefined : normaliseEmail(update.email);
  return ctx.db.transaction(async (tx) => {
    const locked = await lockUser(tx, ctx, id);
    const { user } = locked;
    const updated = {
      id,
      name: update.name === undefined ? user.name : update.name,
      email: email ?? user.email,
      role: update.role ?? user.role,
    };
    assertRoleChangeAllowed(ctx, locked, updated.role);
    locked.assertStillAdmin();
    const fields = (['name', 'email'] as const).filter((field) => updated[field] !== user[field]);
    const hasNewRole = updated.role !== user.role;
    if (fields.length === 0 && !hasNewRole) return user;
    const stored = await updateUserRow(tx, updated);
    const target = { type: 'user', id } as const;
    if (fields.length > 0)
      await deps.audit.record(tx, { by: ctx, action: 'user.updated', target, details: { fields } });
    if (hasNewRole) {
      await deps.access.revokeSessions(tx, id);
      const details = { from: user.role, to: updated.role };
      await deps.audit.record(tx, { by: ctx, action: 'user.role-changed', target, details });
      if (updated.role < roles.ADMIN) {
        const withdrawn = { userId: id, reason: 'inviter-demoted' } as const;
        await deps.access.withdrawUserInvites(tx, { ctx, audit: deps.audit }, withdrawn);
      }
      tx.afterCommit(() => deps.relay.invalidate('credentials', ctx.principal.tenant.id, id));
    }
    return stored;
  });
}

function assertRoleChangeAllowed(ctx: Context, { user, isLastAdmin }: LockedUser, role: number): void {
  if (role === user.role) return;
  if (user.id === ctx.principal.userId)
    throw new QuireError('SELF_ROLE_CHANGE', 'role: you cannot change your own role');
  if (isLastAdmin && role !== roles.ADMIN)
    throw new QuireError('LAST_ADMIN', 'role: the last active administrator cannot be demoted');
}
