import type { Context } from '@quire/context';
import { holdUser } from '../hold-user.js';
import type { UserServices } from '../user-services.js';
import { storeDisabled } from '../users.repository.js';

/**
 * Lets a user in again: tokens work as before, sessions have to be opened anew, those too that nobody presented
 * meanwhile. Enabling an enabled user is a success.
 * @throws QuireError NOT_FOUND, FORBIDDEN.
 */
export async function enableUser(ctx: Context, services: UserServices, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { user, requireStillAdmin } = await holdUser(tx, ctx, id);
    requireStillAdmin();
    if (!user.disabled) return;
    await services.access.endSessions(tx, id);
    await storeDisabled(tx, id, false);
    await services.audit.record(tx, { by: ctx, action: 'user.enabled', target: { type: 'user', id } });
    tx.afterCommit(() => services.relay.drop('credentials', ctx.principal.tenant.id));
  });
}
