import type { Context } from '@quire/context';
import { lockUser } from '../lock-user.js';
import type { UserDeps } from '../user-deps.js';
import { updateUserDisabled } from '../users.repository.js';

/**
 * Lets a user in again: tokens work as before, sessions have to be opened anew, those too that nobody presented
 * meanwhile. Enabling an enabled user is a success.
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
    tx.afterCommit(() => deps.relay.invalidate('credentials', ctx.principal.tenant.id));
  });
}
