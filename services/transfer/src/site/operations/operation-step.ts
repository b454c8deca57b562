import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import type { TransferDeps } from '../../transfer-deps.js';
import type { LeasedOperation } from './transfer-steps.repository.js';
import type { OperationChange, OperationRow } from './operations.repository.js';

/** What a step has done. It is recorded in one transaction, which checks the lease. */
export interface StepResult {
  /** The changed properties of the operation. */
  change: OperationChange;
  /** Further writes of the transaction. */
  write?: (tx: Transaction) => Promise<void>;
}

/**
 * A bounded and repeatable part of an operation: a process may die in any line of it, and the next one takes the same
 * step again. Objects that it stores have names that follow from the operation's cursor.
 */
export type OperationStep = (
  ctx: Context,
  deps: TransferDeps,
  operation: OperationRow,
  lease: Pick<LeasedOperation, 'fencingToken'>,
) => Promise<StepResult>;
