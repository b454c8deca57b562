import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { OperationKind } from '../operations/transfer-operation.entity.js';
import { announceApproval } from './announce-approval.js';
import {
  clearApprovals,
  hasStartedByApproval,
  insertOrSelectPending,
  isApproved,
  updateConsumed,
  type ApprovalKey,
} from './approvals.repository.js';
import { paramsDigestOf, type RequestedStart } from './requested-start.js';

/**
 * Decides on a start by a token without the scope (spec document 2, Approval exception; contract 12, Approvals).
 * @returns when `approvalId` is approved for this start; `consumeApproval` is then part of its transaction
 * @throws QuireError INSUFFICIENT_SCOPE without a token id; TRANSFER_APPROVAL_REQUIRED without an `approvalId`, with
 *   the pending request of the same token and arguments, or a new one; TRANSFER_APPROVAL_INVALID for any other one
 */
export async function assertStartApproved(
  ctx: Context,
  start: RequestedStart,
  approvalId: string | undefined,
): Promise<void> {
  const key = keyOf(ctx, start);
  if (!key)
    throw new QuireError(
      'INSUFFICIENT_SCOPE',
      `The token lacks the scope ${scopeOf(start.action)}, and only a token with an id may ask for an approval`,
    );
  if (approvalId === undefined) throw await requestApproval(ctx, key, start);
  if (!(await isApproved(ctx.db, approvalId, key))) throw invalidApproval();
}

/** Requests an approval. @returns the error that names the request */
async function requestApproval(ctx: Context, key: ApprovalKey, start: RequestedStart): Promise<QuireError> {
  const { id, expiresAt } = await ctx.db.transaction(async (tx) => {
    await clearApprovals(tx, key);
    const { approval, isNew } = await insertOrSelectPending(tx, key, start);
    if (isNew) {
      await auditRequest(ctx, tx, approval);
      await announceApproval(ctx, tx, approval);
    }
    return approval;
  });
  const message =
    `An administrator has to approve this. Ask one to open Settings, Transfer, and to approve the request ${id} ` +
    `before ${expiresAt}. Then repeat the call with the same arguments and with approvalId ${id}`;
  return new QuireError('TRANSFER_APPROVAL_REQUIRED', message, { details: { approvalId: id, expiresAt } });
}

async function auditRequest(
  ctx: Context,
  tx: Transaction,
  {
    id,
    action,
    requestedByTokenId: tokenId,
  }: { id: string; action: OperationKind; requestedByTokenId: string },
): Promise<void> {
  const target = { type: 'approval', id } as const;
  await audit(ctx, tx, { action: 'transfer-approval.requested', target, details: { action, tokenId } });
}

/**
 * Consumes an approval in the transaction that starts its operation: of concurrent starts one commits, and a start that
 * fails leaves the request approved.
 * @throws QuireError TRANSFER_APPROVAL_INVALID
 */
export async function consumeApproval(
  ctx: Context,
  tx: Transaction,
  { approvalId, start, operationId }: { approvalId: string; start: RequestedStart; operationId: string },
): Promise<void> {
  const key = keyOf(ctx, start);
  const consumed = key && (await updateConsumed(tx, approvalId, { key, operationId }));
  if (!consumed) throw invalidApproval();
  const { action } = start;
  const tokenId = consumed.requestedByTokenId;
  const target = { type: 'approval', id: approvalId } as const;
  await audit(ctx, tx, {
    action: 'transfer-approval.used',
    target,
    details: { action, tokenId, operationId },
  });
}

/**
 * Allows a user and token without the scope the operation that they started by an approval (spec document 2, Approval
 * exception).
 * @throws QuireError INSUFFICIENT_SCOPE for any other operation
 */
export async function assertStartedByApproval(
  ctx: Context,
  action: OperationKind,
  operationId: string,
): Promise<void> {
  const { userId, tokenId } = ctx.principal;
  const isAllowed =
    userId !== null &&
    tokenId !== undefined &&
    (await hasStartedByApproval(ctx.db, { action, operationId, userId, requestedByTokenId: tokenId }));
  if (!isAllowed)
    throw new QuireError(
      'INSUFFICIENT_SCOPE',
      `The token lacks the scope ${scopeOf(action)}, and did not start this operation by an approval`,
    );
}

/** The scope that makes an approval unnecessary. */
function scopeOf(action: OperationKind): 'transfer:export' | 'transfer:execute' {
  return action === 'export' ? 'transfer:export' : 'transfer:execute';
}

function keyOf({ principal }: Context, start: RequestedStart): ApprovalKey | undefined {
  const { userId, tokenId } = principal;
  if (userId === null || tokenId === undefined) return undefined;
  return { userId, requestedByTokenId: tokenId, paramsDigest: paramsDigestOf(start) };
}

/** One error for every reason: it says nothing about requests of others. */
function invalidApproval(): QuireError {
  return new QuireError(
    'TRANSFER_APPROVAL_INVALID',
    'The approval is not valid for this call: it is not approved, expired or used, or for other arguments or another token',
  );
}
