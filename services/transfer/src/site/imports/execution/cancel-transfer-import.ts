import type { Context } from '@quire/context';
import type { TransferDeps } from '../../../transfer-deps.js';
import {
  updateOperation,
  type OperationChange,
  type OperationRow,
} from '../../operations/operations.repository.js';
import { cancelledByUser } from '../../operations/record-step.js';
import { requestSteps } from '../../operations/request-steps.js';
import { runOperation } from '../../operations/run-operation.js';
import { expiringStates, type OperationState } from '../../operations/transfer-operation.entity.js';
import { findImport, importStateError } from '../find-import.js';

const executingStates: readonly OperationState[] = ['running', 'verifying'];

/**
 * Cancels an import: before its execution at once, later after the present step. The site remains read-only when the
 * import has begun to change it, until the import is abandoned (contract 25).
 * @returns the import; `cancelRequestedAt` is set also while its state is `running` or `verifying`
 * @throws QuireError TRANSFER_OPERATION_NOT_FOUND, TRANSFER_EXPIRED, TRANSFER_INVALID_STATE once it has ended
 */
export async function cancelTransferImport(
  ctx: Context,
  deps: TransferDeps,
  id: string,
): Promise<OperationRow> {
  const found = await findImport(ctx, id);
  const requestedAt = found.cancelRequestedAt ?? new Date();
  const isRequested =
    (await change(ctx, id, expiringStates.import, {
      ...cancelledByUser(),
      cancelRequestedAt: requestedAt,
    })) || (await change(ctx, id, executingStates, { cancelRequestedAt: requestedAt }));
  if (!isRequested) throw importStateError(await findImport(ctx, id));
  // Ends the import at once unless another process takes a step: then that one ends it.
  await runOperation(ctx, deps, id, () => true);
  return findImport(ctx, id);
}

/** @returns whether the import was in one of the states */
function change(
  ctx: Context,
  id: string,
  states: readonly OperationState[],
  values: OperationChange,
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const row = await updateOperation(tx, { id, states }, values);
    if (row) await requestSteps(ctx, tx, id);
    return row !== undefined;
  });
}
