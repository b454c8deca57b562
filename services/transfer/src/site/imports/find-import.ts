import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { operationNotFound } from '../operations/operation-response.js';
import { selectOperation, type OperationRow } from '../operations/operations.repository.js';
import { expiringStates } from '../operations/transfer-operation.entity.js';

/**
 * An import whose package is stored, in any state.
 * @throws QuireError TRANSFER_OPERATION_NOT_FOUND, also for the id of an export; TRANSFER_EXPIRED
 */
export async function findImport(ctx: Context, id: string): Promise<OperationRow> {
  const operation = await findAnyImport(ctx, id);
  if (operation.state === 'expired' || isOverdue(operation))
    throw new QuireError(
      'TRANSFER_EXPIRED',
      'The import has expired and its files are deleted; create another one',
    );
  return operation;
}

/**
 * An import, also an expired one: for operations that show it.
 * @throws QuireError TRANSFER_OPERATION_NOT_FOUND
 */
export async function findAnyImport(ctx: Context, id: string): Promise<OperationRow> {
  const operation = await selectOperation(ctx.db, { id, kind: 'import' });
  if (!operation) throw operationNotFound();
  return operation;
}

/** Whether the time of an import has passed before its execution: a worker is about to expire it. */
function isOverdue({ state, expiresAt }: OperationRow): boolean {
  return expiringStates.import.includes(state) && expiresAt !== null && Date.parse(expiresAt) <= Date.now();
}

/** The error for a request that needs an import in another state. */
export function importStateError({ id, state }: Pick<OperationRow, 'id' | 'state'>): QuireError {
  return new QuireError('TRANSFER_INVALID_STATE', `The import is ${state}`, {
    details: { operationId: id, state },
  });
}
