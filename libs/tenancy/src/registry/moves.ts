import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { lockRegistry } from './registration.js';
import { storageIdOf } from './renames.js';

/** `pending`: no worker has begun. `running`: also while it waits for another attempt. */
export type MoveState = 'pending' | 'running' | 'succeeded' | 'failed';

/** What a requested move does. */
export interface MoveRequest {
  /** Key of the new database; null is that of DATABASE_URL. */
  database: string | null;
  /** Maximum seconds for which writes are rejected. */
  maxPauseSeconds: number;
  /** Whether the copy in the former database remains. */
  keepsCopy: boolean;
}

/** The last requested move of a site. Times are ISO 8601. */
export interface RequestedMove extends MoveRequest {
  state: MoveState;
  /** The step that has ended last; null before the first. */
  step: string | null;
  requestedAt: string;
  endedAt: string | null;
  /** Of the last attempt; null after one that succeeded. */
  error: string | null;
  /** Null until it has succeeded, and for a site that was there already. */
  receipt: object | null;
}

const selectedColumns = `target AS database, max_pause_seconds AS "maxPauseSeconds", keeps_copy AS "keepsCopy",
  CASE WHEN ended_at IS NOT NULL AND error IS NULL THEN 'succeeded' WHEN ended_at IS NOT NULL THEN 'failed'
    WHEN attempts > 0 THEN 'running' ELSE 'pending' END AS state,
  step, requested_at AS "requestedAt", ended_at AS "endedAt", error, receipt`;

/** The last requested move of a site, by any of its ids. @param sql the registry's schema */
export async function selectRequestedMove(sql: Queryable, id: string): Promise<RequestedMove | undefined> {
  const [move] = await sql.query<RequestedMove>(
    `SELECT ${selectedColumns} FROM tenant_moves WHERE tenant_id = $1`,
    [await storageIdOf(sql, id)],
  );
  return move;
}

/**
 * Requests a move of a site, which a worker makes. Repeating a request whose move has not ended changes nothing.
 * @param tx a transaction in the registry's schema
 * @param actor for the log of operators
 * @returns whether the request is a new one; undefined when there is no such site, or its purge has begun
 * @throws QuireError CONFLICT while another move of the site has not ended
 */
export async function requestMove(
  tx: Queryable,
  id: string,
  { database, maxPauseSeconds, keepsCopy, actor }: MoveRequest & { actor: string },
): Promise<boolean | undefined> {
  await lockRegistry(tx);
  const storageId = await storageIdOf(tx, id);
  const site = await tx.query('SELECT FROM tenants WHERE id = $1 AND purge_started_at IS NULL', [storageId]);
  if (site.length === 0) return undefined;
  const present = await selectRequestedMove(tx, id);
  if (present && present.endedAt === null) {
    const isSame =
      present.database === database &&
      present.maxPauseSeconds === maxPauseSeconds &&
      present.keepsCopy === keepsCopy;
    if (isSame) return false;
    throw new QuireError('CONFLICT', `Another move of ${id} has not ended`);
  }
  await tx.query('DELETE FROM tenant_moves WHERE tenant_id = $1', [storageId]);
  await tx.query(
    `INSERT INTO tenant_moves (tenant_id, target, max_pause_seconds, keeps_copy, actor, due_at)
     VALUES ($1, $2, $3, $4, $5, now())`,
    [storageId, database, maxPauseSeconds, keepsCopy, actor],
  );
  return true;
}

/** Records a step of a move that has not ended. @param sql the registry's schema */
export async function recordMoveStep(sql: Queryable, storageId: string, step: string): Promise<void> {
  await sql.query('UPDATE tenant_moves SET step = $2 WHERE tenant_id = $1 AND ended_at IS NULL', [
    storageId,
    step,
  ]);
}

/** Records the error of an attempt, after which there is another one. @param sql the registry's schema */
export async function recordMoveError(sql: Queryable, storageId: string, error: string): Promise<void> {
  await sql.query('UPDATE tenant_moves SET error = $2 WHERE tenant_id = $1 AND ended_at IS NULL', [
    storageId,
    error,
  ]);
}

/**
 * Ends a move, unless another process has ended it.
 * @param sql the registry's schema
 * @param result.error null for a move that has succeeded
 */
export async function endMove(
  sql: Queryable,
  storageId: string,
  { error, receipt }: { error: string | null; receipt: object | null },
): Promise<void> {
  await sql.query(
    `UPDATE tenant_moves SET ended_at = now(), due_at = 'infinity', error = $2, receipt = $3
     WHERE tenant_id = $1 AND ended_at IS NULL`,
    [storageId, error, receipt && JSON.stringify(receipt)],
  );
}
