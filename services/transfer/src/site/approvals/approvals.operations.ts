import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { QuireError } from '@quire/errors';
import { authApi } from '@quire/internal-api';
import { can } from '@quire/permissions';
import type { TransferDeps } from '../../transfer-deps.js';
import { approvalOrder, selectApprovals, updateDecision, type ApprovalRow } from './approvals.repository.js';
import type { ApprovalResponse, ApprovalsQuery } from './approvals.schemas.js';

/**
 * The requests of the site, the newest first (contract 25).
 * @throws QuireError INSUFFICIENT_PERMISSIONS, INVALID_CURSOR
 */
export async function listTransferApprovals(
  ctx: Context,
  deps: TransferDeps,
  { status, ...query }: ApprovalsQuery,
): Promise<{ items: ApprovalResponse[]; nextCursor?: string }> {
  assertMayDecide(ctx);
  const tenant = ctx.principal.tenant.id;
  const scope = cursorScope({ operation: 'listTransferApprovals', tenant, filters: { status } });
  const page = new KeysetPage(approvalOrder, scope, query);
  const rows = await selectApprovals(ctx.db, { status }, page);
  const { items, ...rest } = page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
  return { items: await withNames(ctx, deps, items), ...rest };
}

/**
 * Approves a pending request: for 15 minutes its token may start what it requests, once (spec document 2).
 * @throws QuireError INSUFFICIENT_PERMISSIONS; TRANSFER_APPROVAL_INVALID for an unknown, decided or expired request
 */
export function approveTransferApproval(
  ctx: Context,
  deps: TransferDeps,
  id: string,
): Promise<{ approval: ApprovalResponse }> {
  return decide(ctx, deps, { id, decision: 'approved' });
}

/** Denies a pending request, with the errors of `approveTransferApproval`. */
export function denyTransferApproval(
  ctx: Context,
  deps: TransferDeps,
  id: string,
): Promise<{ approval: ApprovalResponse }> {
  return decide(ctx, deps, { id, decision: 'denied' });
}

async function decide(
  ctx: Context,
  deps: TransferDeps,
  { id, decision }: { id: string; decision: 'approved' | 'denied' },
): Promise<{ approval: ApprovalResponse }> {
  assertMayDecide(ctx);
  const userId = ctx.principal.userId ?? '';
  const decided = await ctx.db.transaction(async (tx) => {
    const row = await updateDecision(tx, id, { decision, userId });
    if (!row)
      throw new QuireError(
        'TRANSFER_APPROVAL_INVALID',
        'The request does not exist, has expired or is already decided',
      );
    const { action, requestedByTokenId: tokenId } = row;
    const target = { type: 'approval', id } as const;
    await audit(ctx, tx, { action: `transfer-approval.${decision}`, target, details: { action, tokenId } });
    return row;
  });
  const [approval] = await withNames(ctx, deps, [decided]);
  if (!approval) throw new Error('A decided request has no response');
  return { approval };
}

/** Both permissions belong to Admins (contract 25). */
function assertMayDecide({ principal }: Context): void {
  if (can(principal, 'transfer:export') && can(principal, 'transfer:import')) return;
  throw new QuireError(
    'INSUFFICIENT_PERMISSIONS',
    'Your role does not allow this (transfer:export, transfer:import)',
  );
}

/** Adds the names of users and tokens, which the auth service has. @throws QuireError SERVICE_UNAVAILABLE */
async function withNames(
  ctx: Context,
  { clients }: TransferDeps,
  rows: readonly ApprovalRow[],
): Promise<ApprovalResponse[]> {
  if (rows.length === 0) return [];
  const userIds = [...new Set(rows.map(({ userId }) => userId))];
  const tokenIds = [...new Set(rows.map(({ requestedByTokenId }) => requestedByTokenId))];
  const [users, tokens] = await Promise.all([
    clients.auth.call(authApi.usersByIds, ctx, { ids: userIds }),
    clients.auth.call(authApi.tokensByIds, ctx, { ids: tokenIds }),
  ]);
  const userNames = new Map(users.items.map(({ id, name, email }) => [id, name ?? email]));
  const tokenNames = new Map(tokens.items.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({
    ...row,
    requestedBy: { id: row.userId, name: userNames.get(row.userId) ?? null },
    tokenName: tokenNames.get(row.requestedByTokenId) ?? null,
  }));
}
