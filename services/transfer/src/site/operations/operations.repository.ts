import {
  assignmentsOf,
  columnsOf,
  insertRow,
  Parameters,
  type KeysetPage,
  type Queryable,
  type Row,
  type RowInput,
} from '@quire/database';
import { TransferOperation, type OperationKind, type OperationState } from './transfer-operation.entity.js';

export type OperationRow = Row<TransferOperation>;
export type OperationChange = RowInput<TransferOperation>;

const columns = columnsOf(TransferOperation);

/** Lists are ordered by time, the newest first. */
export const operationOrder = {
  column: 'created_at',
  idColumn: 'id',
  direction: 'desc',
  cast: 'timestamptz',
  neverNull: true,
} as const;

/** Inserts an operation. @throws the database's error for a second active import, or a used idempotency key */
export function insertOperation(sql: Queryable, values: OperationChange): Promise<OperationRow> {
  return insertRow(sql, TransferOperation, values);
}

/** An operation, of one kind if given. */
export async function selectOperation(
  sql: Queryable,
  { id, kind }: { id: string; kind?: OperationKind },
): Promise<OperationRow | undefined> {
  const [row] = await sql.query<OperationRow>(
    `SELECT ${columns} FROM transfer_operations WHERE id = $1 AND ($2::text IS NULL OR kind = $2)`,
    [id, kind ?? null],
  );
  return row;
}

/** The operation that a user started with an idempotency key. */
export async function selectKeyedOperation(
  sql: Queryable,
  { kind, createdBy, idempotencyKey }: Pick<OperationRow, 'kind' | 'createdBy' | 'idempotencyKey'>,
): Promise<OperationRow | undefined> {
  const [row] = await sql.query<OperationRow>(
    `SELECT ${columns} FROM transfer_operations WHERE kind = $1 AND created_by = $2 AND idempotency_key = $3`,
    [kind, createdBy, idempotencyKey],
  );
  return row;
}

/** A page of operations of one kind. */
export function selectOperations(
  sql: Queryable,
  kind: OperationKind,
  page: KeysetPage,
): Promise<OperationRow[]> {
  const params = new Parameters();
  return sql.query<OperationRow>(
    `SELECT ${columns} FROM transfer_operations
     WHERE kind = ${params.add(kind)} AND ${page.condition(params)} ${page.order(params)}`,
    params.values,
  );
}

/** The latest operations of both kinds, the newest first. */
export function selectLatestOperations(sql: Queryable, limit: number): Promise<OperationRow[]> {
  return sql.query<OperationRow>(
    `SELECT ${columns} FROM transfer_operations ORDER BY created_at DESC, id DESC LIMIT $1`,
    [limit],
  );
}

/**
 * Changes an operation that is in one of the states, and has the plan if one is named.
 * @returns the row; undefined when it is in another state or has another plan
 */
export async function updateOperation(
  sql: Queryable,
  { id, states, planDigest }: { id: string; states: readonly OperationState[]; planDigest?: string },
  values: OperationChange,
): Promise<OperationRow | undefined> {
  const params = new Parameters();
  const assignments = [...assignmentsOf(TransferOperation, values, params), 'updated_at = now()'];
  const hasPlan = planDigest === undefined ? 'true' : `plan_digest = ${params.add(planDigest)}`;
  const [row] = await sql.query<OperationRow>(
    `UPDATE transfer_operations SET ${assignments.join(', ')}
     WHERE id = ${params.add(id)} AND state = ANY(${params.add(states, 'text[]')}) AND ${hasPlan} RETURNING ${columns}`,
    params.values,
  );
  return row;
}

/**
 * Takes the number of the next copies of an operation.
 * @returns false when another process has taken it
 */
export async function takeCopyNumber(
  sql: Queryable,
  { id, number }: { id: string; number: number },
): Promise<boolean> {
  const taken = await sql.query(
    `UPDATE transfer_operations
     SET cursor = (cursor::jsonb || jsonb_build_object('copies', $2::integer))::json
     WHERE id = $1 AND coalesce((cursor ->> 'copies')::integer, 0) = $2::integer - 1 RETURNING 1`,
    [id, number],
  );
  return taken.length > 0;
}

/** Whether an import of the site needs its write fence. */
export async function isFenced(sql: Queryable): Promise<boolean> {
  const fencing = await sql.query(
    `SELECT 1 FROM transfer_operations WHERE kind = 'import' AND (state IN ('running', 'verifying')
       OR (state IN ('failed', 'cancelled') AND mutation_started_at IS NOT NULL)) LIMIT 1`,
  );
  return fencing.length > 0;
}

/** Ended operations free their idempotency keys after a day; others have them until their end. */
const endedStates: readonly OperationState[] = ['complete', 'failed', 'cancelled', 'abandoned', 'expired'];

/** Frees the idempotency key of an operation that has ended and is more than a day old (decision 52). */
export async function releaseOldKey(
  sql: Queryable,
  { kind, createdBy, idempotencyKey }: Pick<OperationRow, 'kind' | 'createdBy' | 'idempotencyKey'>,
): Promise<void> {
  if (idempotencyKey === null) return;
  await sql.query(
    `UPDATE transfer_operations SET idempotency_key = NULL
     WHERE kind = $1 AND created_by = $2 AND idempotency_key = $3 AND state = ANY($4::text[])
       AND created_at < now() - interval '24 hours'`,
    [kind, createdBy, idempotencyKey, endedStates],
  );
}
