import type { Context } from '@quire/context';
import { IntervalTask } from '@quire/runtime';
import type { TransferDeps } from '../../transfer-deps.js';
import { nextExportStep } from '../exports/index.js';
import { nextImportStep } from '../imports/steps/index.js';
import { afterEnd } from './after-end.js';
import type { StepResult } from './operation-step.js';
import { selectOperation, type OperationRow } from './operations.repository.js';
import { cancelledByUser, isActive, recordStep } from './record-step.js';
import { recordFailure } from './record-failure.js';
import { leaseRenewalMs, transferSteps, type LeasedOperation } from './transfer-steps.repository.js';

/**
 * `leased`: another process takes the steps, or a failed one is repeated later. `postponed`: a step failed and is
 * repeated later. `ended`: there are no steps.
 */
export type RunOutcome = 'finished' | 'continued' | 'postponed' | 'leased' | 'ended';

/**
 * Takes steps of an operation until it has none or `mustStop`. At least one step is taken.
 * @returns `leased` without a step while another process has the lease, and while a failed step waits
 */
export async function runOperation(
  ctx: Context,
  deps: TransferDeps,
  operationId: string,
  mustStop: () => boolean,
): Promise<RunOutcome> {
  const key = { tenantId: ctx.principal.tenant.id, operationId };
  const leased = await transferSteps.claimUnlessDelayed(ctx.db, key);
  return leased ? runLeasedOperation(ctx, deps, leased, mustStop) : 'leased';
}

/** The same for an operation that is leased already. */
export function runLeasedOperation(
  ctx: Context,
  deps: TransferDeps,
  leased: LeasedOperation,
  mustStop: () => boolean,
): Promise<RunOutcome> {
  return whileLeased(ctx, deps, leased, () => takeSteps(ctx, deps, leased, mustStop));
}

/** Extends a lease while `work` goes on. */
export async function whileLeased<Result>(
  ctx: Context,
  { logger }: Pick<TransferDeps, 'logger'>,
  leased: LeasedOperation,
  work: () => Promise<Result>,
): Promise<Result> {
  const renewal = new IntervalTask({
    // A lost lease is noticed when the step is recorded.
    work: async () => void (await transferSteps.extend(ctx.db, leased)),
    everyMs: leaseRenewalMs,
    failure: 'lease of a site transfer not extended',
    logger,
  });
  renewal.start();
  try {
    return await work();
  } finally {
    await renewal.stop();
  }
}

async function takeSteps(
  ctx: Context,
  deps: TransferDeps,
  leased: LeasedOperation,
  mustStop: () => boolean,
): Promise<RunOutcome> {
  let operation: OperationRow | undefined;
  try {
    operation = await selectOperation(ctx.db, { id: leased.operationId });
    while (isActive(operation)) {
      const recorded = await recordStep(
        ctx,
        leased,
        operation,
        await nextResult(ctx, deps, operation, leased),
      );
      if (!recorded) return 'leased';
      operation = recorded;
      if (!isActive(operation) || !mustStop()) continue;
      await transferSteps.release(ctx.db, leased);
      return 'continued';
    }
    return await afterEnd(ctx, deps, { leased, operation });
  } catch (error) {
    const failed = await recordFailure(ctx, deps, { operation, leased, error });
    return failed ? await afterFailure(ctx, deps, leased, failed) : 'postponed';
  }
}

/**
 * Takes the next step. A user who has cancelled the import ends it instead, unless it is verified: a process that died
 * in its last step may have made the site writable.
 */
async function nextResult(
  ctx: Context,
  deps: TransferDeps,
  operation: OperationRow,
  leased: LeasedOperation,
): Promise<StepResult> {
  const isVerified = operation.cursor.execution?.verification?.isMediaChecked === true;
  if (operation.cancelRequestedAt !== null && !isVerified) return { change: cancelledByUser() };
  const step = operation.kind === 'export' ? nextExportStep(operation) : nextImportStep(operation);
  return step(ctx, deps, operation, leased);
}

async function afterFailure(
  ctx: Context,
  deps: TransferDeps,
  leased: LeasedOperation,
  operation: OperationRow,
): Promise<RunOutcome> {
  try {
    return await afterEnd(ctx, deps, { leased, operation });
  } catch (error) {
    await recordFailure(ctx, deps, { operation, leased, error });
    return 'postponed';
  }
}
