import type { Context } from '@quire/context';
import type { StepResult } from './operation-step.js';
import {
  selectOperation,
  updateOperation,
  type OperationChange,
  type OperationRow,
} from './operations.repository.js';
import { transferSteps, type LeasedOperation } from './transfer-steps.repository.js';
import type { OperationState } from './transfer-operation.entity.js';

/** States with a next step. */
export const activeStates: readonly OperationState[] = ['pending', 'analyzing', 'running', 'verifying'];

/** Time after which the files of a failed or cancelled operation, or of a complete import, are deleted. */
const endedLifetimeMs = 24 * 3600 * 1000;

/** Whether an operation has a next step. */
export function isActive<Operation extends Pick<OperationRow, 'state'>>(
  operation: Operation | undefined,
): operation is Operation {
  return operation !== undefined && activeStates.includes(operation.state);
}

/** The changes of an operation that ends now. Its files are deleted a day later. */
export function endedNow(): { completedAt: Date; expiresAt: Date } {
  return { completedAt: new Date(), expiresAt: new Date(Date.now() + endedLifetimeMs) };
}

/** The changes of an import that a user has cancelled. */
export function cancelledByUser(): OperationChange {
  return { state: 'cancelled', ...endedNow() };
}

/**
 * Records what a step has done. An import that a user has cancelled during the step ends after it.
 * @returns the operation: unchanged when a user has ended it during the step. Undefined when another process has the
 *   lease: then nothing is recorded
 */
export function recordStep(
  ctx: Context,
  leased: LeasedOperation,
  { id }: OperationRow,
  { change, write }: StepResult,
): Promise<OperationRow | undefined> {
  return ctx.db.transaction(async (tx) => {
    if (!(await transferSteps.extend(tx, leased))) return undefined;
    const target = { id, states: activeStates };
    const row = await updateOperation(tx, target, { attemptCount: 0, ...change });
    if (!row) return selectOperation(tx, { id });
    await write?.(tx);
    if (!isActive(row) || row.cancelRequestedAt === null) return row;
    return updateOperation(tx, target, cancelledByUser());
  });
}
