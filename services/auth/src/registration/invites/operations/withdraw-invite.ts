import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { AuditLog } from '../../../audit/index.js';
import { addressHash } from '../../../site-key/index.js';
import { deleteInviteById } from '../invites.repository.js';

/** Withdraws an invitation: its link is worth nothing from now on. @throws QuireError NOT_FOUND */
export async function withdrawInvite(ctx: Context, audit: AuditLog, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const deleted = await deleteInviteById(tx, id);
    if (!deleted) throw notFound('invitation');
    await audit.record(tx, {
      by: ctx,
      action: 'invite.withdrawn',
      target: { type: 'invite', id },
      details: { addressHash: await addressHash(tx, deleted.email), reason: 'withdrawn' },
    });
  });
}
