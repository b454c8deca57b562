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

export function insertOperation(sql: Queryable, values: OperationChange): Promise<OperationRow> {
  return insertRow(sql, TransferOperation, values);
}

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
