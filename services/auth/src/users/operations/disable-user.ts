import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { lockUser } from '../lock-user.js';
import type { UserDeps } from '../user-deps.js';
import { updateUserDisabled } from '../users.repository.js';

/**
 * Shuts a user out: what applications were granted ends, sessions end at their next request, which is told why, tokens
 * do nothing until the user is enabled again, their pending invitations end, and every process forgets at once who was
 * who (contract 4, 24). Disabling a disabled user is a success.
 * @throws QuireError NOT_FOUND, LAST_ADMIN (decision 45), VALIDATION_ERROR (oneself), FORBIDDEN.
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
    tx.afterCommit(() => deps.relay.invalidate('credentials', ctx.principal.tenant.id));
  });
}
