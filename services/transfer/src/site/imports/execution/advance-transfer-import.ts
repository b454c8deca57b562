import type { Context } from '@quire/context';
import type { TransferDeps } from '../../../transfer-deps.js';
import { nextRequestAfter } from '../../operations/next-request.js';
import { toOperationResponse, type OperationResponse } from '../../operations/operation-response.js';
import type { OperationRow } from '../../operations/operations.repository.js';
import { runOperation } from '../../operations/run-operation.js';
import { expiringStates } from '../../operations/transfer-operation.entity.js';
import { findImport, importStateError } from '../find-import.js';

/** An import that executes or has ended. */
export interface AdvancedImport {
  operation: OperationResponse;
  /** 0 to repeat the request at once, null when no step is left. */
  nextRequestInMs: number | null;
}

/**
 * Takes one step of the execution of an import, unless another process does: then the caller repeats the request after
 * the delay. An import that has ended is returned as it is (contract 25).
 * @throws QuireError TRANSFER_OPERATION_NOT_FOUND, TRANSFER_EXPIRED, TRANSFER_INVALID_STATE before the execution
 */
export async function advanceTransferImport(
  ctx: Context,
  deps: TransferDeps,
  id: string,
): Promise<AdvancedImport> {
  const found = await findImport(ctx, id);
  if (expiringStates.import.includes(found.state)) throw importStateError(found);
  if (!isExecuting(found)) return { operation: toOperationResponse(found), nextRequestInMs: null };
  const outcome = await runOperation(ctx, deps, id, () => true);
  const operation = await findImport(ctx, id);
  return {
    operation: toOperationResponse(operation),
    nextRequestInMs: nextRequestAfter(outcome, { isStepLeft: isExecuting(operation) }),
  };
}

function isExecuting({ state }: OperationRow): boolean {
  return state === 'running' || state === 'verifying';
}
