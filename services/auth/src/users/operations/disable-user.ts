import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { holdUser } from '../hold-user.js';
import type { UserServices } from '../user-services.js';
import { storeDisabled } from '../users.repository.js';

/**
 * Shuts a user out: what applications were granted ends, sessions end at their next request, which is told why, tokens do
 * nothing until the user is enabled again, their pending invitations end, and every process forgets at once who was who
 * (contract 4, 24). Disabling a disabled user is a success.
 * @throws QuireError NOT_FOUND, LAST_ADMIN (decision 45), VALIDATION_ERROR (oneself), FORBIDDEN.
 */
export async function disableUser(ctx: Context, services: UserServices, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { user, isLastAdmin, requireStillAdmin } = await holdUser(tx, ctx, id);
    if (isLastAdmin) throw new QuireError('LAST_ADMIN', 'The last active administrator cannot be disabled');
    if (id === ctx.principal.userId)
      throw new QuireError('VALIDATION_ERROR', 'Nobody disables their own account');
    requireStillAdmin();
    await services.access.endGrants(tx, id);
    await services.access.endInvites(
      tx,
      { ctx, audit: services.audit },
      { userId: id, reason: 'inviter-disabled' },
    );
    if (!user.disabled) {
      await storeDisabled(tx, id, true);
      await services.audit.record(tx, { by: ctx, action: 'user.disabled', target: { type: 'user', id } });
    }
    tx.afterCommit(() => services.relay.drop('credentials', ctx.principal.tenant.id));
  });
}
