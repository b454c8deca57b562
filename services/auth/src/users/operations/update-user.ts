import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { roles } from '@quire/permissions';
import { normaliseEmail } from '../email.js';
import { lockUser, type LockedUser } from '../lock-user.js';
import type { UserDeps } from '../user-deps.js';
import { updateUserRow, type UserRow } from '../users.repository.js';
import type { UserChange } from '../users.schemas.js';

/**
 * Changes a user's name, address or role (contract 24). A new role holds from the next request on, everywhere: sessions
 * end, and tokens are worth what it allows. Pending invitations of an administrator who is none any more end.
 * @throws QuireError NOT_FOUND, SELF_ROLE_CHANGE, LAST_ADMIN, EMAIL_IN_USE, VALIDATION_ERROR (no address), FORBIDDEN.
 */
export async function updateUser(
  ctx: Context,
  deps: UserDeps,
  id: string,
  change: UserChange,
): Promise<UserRow> {
  const email = change.email === undefined ? undefined : normaliseEmail(change.email);
  return ctx.db.transaction(async (tx) => {
    const locked = await lockUser(tx, ctx, id);
    const { user } = locked;
    const wanted = {
      id,
      name: change.name === undefined ? user.name : change.name,
      email: email ?? user.email,
      role: change.role ?? user.role,
    };
    assertRoleChangeAllowed(ctx, locked, wanted.role);
    locked.assertStillAdmin();
    const fields = (['name', 'email'] as const).filter((field) => wanted[field] !== user[field]);
    const hasNewRole = wanted.role !== user.role;
    if (fields.length === 0 && !hasNewRole) return user;
    const stored = await updateUserRow(tx, wanted);
    const target = { type: 'user', id } as const;
    if (fields.length > 0)
      await deps.audit.record(tx, { by: ctx, action: 'user.updated', target, details: { fields } });
    if (hasNewRole) {
      await deps.access.revokeSessions(tx, id);
      const details = { from: user.role, to: wanted.role };
      await deps.audit.record(tx, { by: ctx, action: 'user.role-changed', target, details });
      if (wanted.role < roles.ADMIN) {
        const ended = { userId: id, reason: 'inviter-demoted' } as const;
        await deps.access.withdrawUserInvites(tx, { ctx, audit: deps.audit }, ended);
      }
      tx.afterCommit(() => deps.relay.invalidate('credentials', ctx.principal.tenant.id));
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
