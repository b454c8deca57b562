import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { roles } from '@quire/permissions';
import { normalisedEmail } from '../email.js';
import { holdUser, type HeldUser } from '../hold-user.js';
import type { UserServices } from '../user-services.js';
import { storeUser, type UserRow } from '../users.repository.js';
import type { UserChange } from '../users.schemas.js';

/**
 * Changes a user's name, address or role (contract 24). A new role holds from the next request on, everywhere: sessions end, and
 * tokens are worth what it allows. Pending invitations of an administrator who is none any more end.
 * @throws QuireError NOT_FOUND, SELF_ROLE_CHANGE, LAST_ADMIN, EMAIL_IN_USE, VALIDATION_ERROR (no address), FORBIDDEN.
 */
export async function updateUser(
  ctx: Context,
  services: UserServices,
  id: string,
  change: UserChange,
): Promise<UserRow> {
  const email = change.email === undefined ? undefined : normalisedEmail(change.email);
  return ctx.db.transaction(async (tx) => {
    const held = await holdUser(tx, ctx, id);
    const { user } = held;
    const wanted = {
      id,
      name: change.name === undefined ? user.name : change.name,
      email: email ?? user.email,
      role: change.role ?? user.role,
    };
    requireRole(ctx, held, wanted.role);
    held.requireStillAdmin();
    const fields = (['name', 'email'] as const).filter((field) => wanted[field] !== user[field]);
    const hasNewRole = wanted.role !== user.role;
    if (fields.length === 0 && !hasNewRole) return user;
    const stored = await storeUser(tx, wanted);
    const target = { type: 'user', id } as const;
    if (fields.length > 0)
      await services.audit.record(tx, { by: ctx, action: 'user.updated', target, details: { fields } });
    if (hasNewRole) {
      await services.access.endSessions(tx, id);
      const details = { from: user.role, to: wanted.role };
      await services.audit.record(tx, { by: ctx, action: 'user.role-changed', target, details });
      if (wanted.role < roles.ADMIN) {
        const ended = { userId: id, reason: 'inviter-demoted' } as const;
        await services.access.endInvites(tx, { ctx, audit: services.audit }, ended);
      }
      tx.afterCommit(() => services.relay.drop('credentials', ctx.principal.tenant.id));
    }
    return stored;
  });
}

function requireRole(ctx: Context, { user, isLastAdmin }: HeldUser, role: number): void {
  if (role === user.role) return;
  if (user.id === ctx.principal.userId)
    throw new QuireError('SELF_ROLE_CHANGE', 'role: nobody changes their own');
  if (isLastAdmin && role !== roles.ADMIN)
    throw new QuireError('LAST_ADMIN', 'role: the last active administrator keeps theirs');
}
