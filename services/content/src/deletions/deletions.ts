import { hasSqlState, sqlState, type Queryable, type Row, type TransactionalDatabase } from '@quire/database';
import type { DeletedKind, Deletion } from './deletion.entity.js';
import {
  deleteDeletion,
  deletionWork,
  insertDeletion,
  lockDeletion,
  updatePosition,
  type DeletionKey,
} from './deletions.repository.js';

/**
 * Deletes some of the rows of a deleted object, at most about a thousand, in the transaction of `tx`.
 * @returns where the next step begins; undefined when nothing is left
 */
export type DeletionStep = (
  tx: Queryable,
  deletion: Row<Deletion>,
  tenantId: string,
) => Promise<string | undefined>;

export type DeletionSteps = Readonly<Record<DeletedKind, DeletionStep>>;

/**
 * Deletes the rows of a deleted object. The first step runs at once, in the transaction that deletes the object, and is
 * the only one for few rows. A worker takes the other steps.
 */
export async function beginDeletion(
  tx: Queryable,
  tenantId: string,
  deleted: DeletionKey & Partial<Row<Deletion>>,
  step: DeletionStep,
): Promise<void> {
  const deletion = { collection: null, field: null, position: '', ...deleted };
  const position = await step(tx, deletion, tenantId);
  if (position === undefined) return;
  await insertDeletion(tx, { ...deletion, position });
  await deletionWork.enqueue(tx, [{ tenantId }]);
}

/**
 * Takes the next step of a deletion, with its new position in the same transaction: a step that fails is repeated. A
 * deadlock with a writer counts as a step that deleted nothing.
 * @returns whether something is left
 */
export async function continueDeletion(
  { db, tenantId }: { db: TransactionalDatabase; tenantId: string },
  key: DeletionKey,
  step: DeletionStep,
): Promise<boolean> {
  try {
    return await db.transaction(async (tx) => {
      const deletion = await lockDeletion(tx, key);
      if (!deletion) return false;
      const position = await step(tx, deletion, tenantId);
      if (position === undefined) await deleteDeletion(tx, key);
      else await updatePosition(tx, key, position);
      return position !== undefined;
    });
  } catch (error) {
    if (hasSqlState(error, sqlState.deadlock)) return true;
    throw error;
  }
}
