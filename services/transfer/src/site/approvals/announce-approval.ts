import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { notifyTransferApproval, outboxRow, sendMessage, timestampOf } from '@quire/jobs';

/** The properties of a new request that the mail to the administrators needs. */
export interface AnnouncedApproval {
  id: string;
  action: 'export' | 'import';
  /** The user of the token. */
  userId: string;
  requestedByTokenId: string;
  /** ISO time at which the request ends without a decision. */
  expiresAt: string;
}

/**
 * Writes the message that leads to a mail to every administrator, where mail is configured (spec document 2). The
 * message is written in the transaction that creates the request, so that neither exists without the other.
 */
export async function announceApproval(
  ctx: Context,
  tx: Transaction,
  { id, action, userId, requestedByTokenId, expiresAt }: AnnouncedApproval,
): Promise<void> {
  const message = {
    tenantId: ctx.principal.tenant.id,
    approvalId: id,
    action,
    userId,
    tokenId: requestedByTokenId,
    expiresAt: timestampOf(new Date(expiresAt)),
    origin: ctx.origin ?? '',
  };
  await sendMessage(tx, 'transfer', outboxRow(notifyTransferApproval, message));
}
