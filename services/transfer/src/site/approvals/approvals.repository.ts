import { columnsOf, Parameters, type KeysetPage, type Queryable, type Row } from '@quire/database';
import { ulid } from '@quire/values';
import type { RequestedStart } from './requested-start.js';
import { TransferApproval, type ApprovalStatus } from './transfer-approval.entity.js';

export type ApprovalRow = Row<TransferApproval>;
/** The caller of a start, and the digest of its arguments. */
export type ApprovalKey = Pick<ApprovalRow, 'userId' | 'requestedByTokenId' | 'paramsDigest'>;

const lifetime = "interval '15 minutes'";
const retention = "interval '30 days'";
/** Old requests that one statement deletes. */
const maxDeleted = 100;
const isUnexpired = 'expires_at > now()';

/** Requests expire without a statement. */
const status = `CASE WHEN status IN ('pending', 'approved') AND NOT ${isUnexpired} THEN 'expired' ELSE status END`;
const columns = `${columnsOf(TransferApproval, { except: ['status'] })}, ${status} AS status`;

/** Lists are ordered by time, the newest first. */
export const approvalOrder = {
  column: 'created_at',
  idColumn: 'id',
  direction: 'desc',
  cast: 'timestamptz',
  neverNull: true,
} as const;

/** A page of requests, of one status if given. */
export function selectApprovals(
  sql: Queryable,
  filter: { status?: ApprovalStatus | undefined },
  page: KeysetPage,
): Promise<ApprovalRow[]> {
  const params = new Parameters();
  const given = params.add(filter.status ?? null, 'text');
  return sql.query<ApprovalRow>(
    `SELECT ${columns} FROM transfer_approvals
     WHERE (${given} IS NULL OR ${status} = ${given}) AND ${page.condition(params)} ${page.order(params)}`,
    params.values,
  );
}

/** Deletes requests of more than 30 days ago, and lets an expired one of this key make room for another. */
export async function clearApprovals(tx: Queryable, key: ApprovalKey): Promise<void> {
  await tx.query(
    `DELETE FROM transfer_approvals WHERE id IN (
       SELECT id FROM transfer_approvals WHERE created_at < now() - ${retention}
       ORDER BY created_at, id LIMIT ${maxDeleted} FOR UPDATE SKIP LOCKED)`,
  );
  await tx.query(
    `UPDATE transfer_approvals SET status = 'expired'
     WHERE user_id = $1 AND requested_by_token_id = $2 AND params_digest = $3
       AND status = 'pending' AND NOT ${isUnexpired}`,
    [key.userId, key.requestedByTokenId, key.paramsDigest],
  );
}

/** Inserts a pending request. @returns it, or the one of this key that is pending already */
export async function insertOrSelectPending(
  tx: Queryable,
  key: ApprovalKey,
  start: RequestedStart,
): Promise<{ approval: ApprovalRow; isNew: boolean }> {
  const id = ulid();
  const {
    operationId = null,
    packageDigest = null,
    planDigest = null,
  } = start.action === 'import' ? start.arguments : {};
  const options = JSON.stringify(start.action === 'export' ? start.arguments : {});
  const [approval] = await tx.query<ApprovalRow>(
    `INSERT INTO transfer_approvals (id, status, action, user_id, requested_by_token_id, params_digest,
       operation_id, package_digest, plan_digest, options, expires_at)
     VALUES ($1, 'pending', $2, $3, $4, $5, $6, $7, $8, $9, now() + ${lifetime})
     ON CONFLICT (user_id, requested_by_token_id, params_digest) WHERE status = 'pending'
       DO UPDATE SET status = 'pending'
     RETURNING ${columns}`,
    [
      ...[id, start.action, key.userId, key.requestedByTokenId, key.paramsDigest],
      ...[operationId, packageDigest, planDigest, options],
    ],
  );
  if (!approval) throw new Error('A request for approval was neither inserted nor found');
  return { approval, isNew: approval.id === id };
}

/** Approves or denies a pending request; an approval has a lifetime of its own. @returns undefined for any other */
export async function updateDecision(
  tx: Queryable,
  id: string,
  { decision, userId }: { decision: 'approved' | 'denied'; userId: string },
): Promise<ApprovalRow | undefined> {
  const isApproved = decision === 'approved';
  const [approval] = await tx.query<ApprovalRow>(
    `UPDATE transfer_approvals SET status = $2, approved_by = $3, decided_at = now(),
       expires_at = ${isApproved ? `now() + ${lifetime}` : 'expires_at'}
     WHERE id = $1 AND status = 'pending' AND ${isUnexpired} RETURNING ${columns}`,
    [id, decision, isApproved ? userId : null],
  );
  return approval;
}

/** Consumes an approved request for the operation that it starts. @returns undefined for any other request */
export async function updateConsumed(
  tx: Queryable,
  id: string,
  { key, operationId }: { key: ApprovalKey; operationId: string },
): Promise<ApprovalRow | undefined> {
  const [approval] = await tx.query<ApprovalRow>(
    `UPDATE transfer_approvals SET status = 'consumed', consumed_at = now(), operation_id = $2
     WHERE id = $1 AND user_id = $3 AND requested_by_token_id = $4 AND params_digest = $5
       AND status = 'approved' AND ${isUnexpired} RETURNING ${columns}`,
    [id, operationId, key.userId, key.requestedByTokenId, key.paramsDigest],
  );
  return approval;
}

/** Whether a request has this key, and is approved and not used. */
export async function isApproved(sql: Queryable, id: string, key: ApprovalKey): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 FROM transfer_approvals
     WHERE id = $1 AND user_id = $2 AND requested_by_token_id = $3 AND params_digest = $4
       AND status = 'approved' AND ${isUnexpired}`,
    [id, key.userId, key.requestedByTokenId, key.paramsDigest],
  );
  return rows.length > 0;
}

/** Whether an approved request of the token started the operation. */
export async function hasStartedByApproval(
  sql: Queryable,
  started: Pick<ApprovalRow, 'action' | 'userId' | 'requestedByTokenId'> & { operationId: string },
): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 FROM transfer_approvals
     WHERE operation_id = $1 AND action = $2 AND user_id = $3 AND requested_by_token_id = $4
       AND status = 'consumed' LIMIT 1`,
    [started.operationId, started.action, started.userId, started.requestedByTokenId],
  );
  return rows.length > 0;
}
