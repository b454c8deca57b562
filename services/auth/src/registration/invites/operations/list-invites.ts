import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { inviteOrder, selectPendingInvites, type PendingInvite } from '../invites.repository.js';

/** One page of the invitations that can still be accepted, newest first. @throws QuireError INVALID_CURSOR */
export async function listInvites(
  ctx: Context,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ items: PendingInvite[]; nextCursor?: string }> {
  const scope = cursorScope({ operation: 'listInvites', tenant: ctx.principal.tenant.id, filters: {} });
  const page = new KeysetPage(inviteOrder, scope, { cursor, limit });
  const rows = await selectPendingInvites(ctx.db, page);
  return page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
}
