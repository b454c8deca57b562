import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import type { AuditLog, WithdrawalReason } from '../../../audit/index.js';
import { addressHash } from '../../../site-key/index.js';
import { deleteInvitesBy } from '../invites.repository.js';

/** Ends the pending invitations that a user made, in the transaction that takes the right to invite away. */
export async function withdrawUserInvites(
  tx: Queryable,
  { ctx, audit }: { ctx: Context; audit: AuditLog },
  { userId, reason }: { userId: string; reason: WithdrawalReason },
): Promise<void> {
  for (const { id, email } of await deleteInvitesBy(tx, userId))
    await audit.record(tx, {
      by: ctx,
      action: 'invite.withdrawn',
      target: { type: 'invite', id },
      details: { addressHash: await addressHash(tx, email), reason },
    });
}
