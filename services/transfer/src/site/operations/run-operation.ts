import type { Context } from '@quire/context';
import { isUnavailable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { IntervalTask } from '@quire/runtime';
import type { TransferDeps } from '../../transfer-deps.js';
import { nextExportStep } from '../exports/index.js';
import { nextImportStep } from '../imports/steps/index.js';
import { collectFiles } from './collect-files.js';
import type { StepResult } from './operation-step.js';
import {
  selectOperation,
  updateOperation,
  type OperationChange,
  type OperationRow,
} from './operations.repository.js';
import { leaseRenewalMs, transferSteps, type LeasedOperation } from './transfer-steps.repository.js';
import type { OperationState } from './transfer-operation.entity.js';

/** States with a next step. */
const activeStates: readonly OperationState[] = ['pending', 'analyzing', 'running', 'verifying'];
/** Failures of one step, other than outages, before the operation fails. */
const maxAttempts = 5;
/** Time after which the files of a failed operation are deleted. */
const failedLifetimeMs = 24 * 3600 * 1000;

/**
 * `leased`: another process takes the steps. `postponed`: a step failed and is repeated later. `ended`: there are no
 * steps.
 */
export type RunOutcome = 'finished' | 'continued' | 'postponed' | 'leased' | 'ended';

/**
 * Takes steps of an operation until it has none or `mustStop`. At least one step is taken.
 * @returns `leased` without a step while another process has the lease
 */
export async function runOperation(
  ctx: Context,
  deps: TransferDeps,
  operationId: string,
  mustStop: () => boolean,
): Promise<RunOutcome> {
  const leased = await transferSteps.claimByKey(ctx.db, { tenantId: ctx.principal.tenant.id, operationId });
  return leased ? runLeasedOperation(ctx, deps, leased, mustStop) : 'leased';
}

/** The same for an operation that is leased already. */
export async function runLeasedOperation(
  ctx: Context,
  deps: TransferDeps,
  leased: LeasedOperation,
  mustStop: () => boolean,
): Promise<RunOutcome> {
  const renewal = new IntervalTask({
    // A lost lease is noticed when the step is recorded.
    work: async () => void (await transferSteps.extend(ctx.db, leased)),
    everyMs: leaseRenewalMs,
    failure: 'lease of a site transfer not extended',
    logger: deps.logger,
  });
  renewal.start();
  let operation: OperationRow | undefined;
  try {
    operation = await selectOperation(ctx.db, { id: leased.operationId });
    if (!isActive(operation)) return await afterEnd(ctx, deps, { leased, operation });
    do {
      const step = operation.kind === 'export' ? nextExportStep(operation) : nextImportStep(operation);
      const recorded = await record(ctx, leased, operation, await step(ctx, deps, operation));
      if (!recorded) return 'leased';
      operation = recorded;
      if (!isActive(operation)) return await afterEnd(ctx, deps, { leased, operation });
    } while (!mustStop());
    await transferSteps.release(ctx.db, leased);
    return 'continued';
  } catch (error) {
    await afterFailure(ctx, deps, { operation, leased, error });
    return 'postponed';
  } finally {
    await renewal.stop();
  }
}

function isActive(operation: OperationRow | undefined): operation is OperationRow {
  return operation !== undefined && activeStates.includes(operation.state);
}

/** The last step of an operation that has ended is due when its files expire: it deletes them. */
async function afterEnd(
  ctx: Context,
  deps: TransferDeps,
  { leased, operation }: { leased: LeasedOperation; operation: OperationRow | undefined },
): Promise<RunOutcome> {
  const { expiresAt = null, stagingCollectedAt = null } = operation ?? {};
  const isCollected = expiresAt === null || stagingCollectedAt !== null;
  if (!isCollected && Date.parse(expiresAt) > Date.now()) {
    await transferSteps.release(ctx.db, leased, new Date(expiresAt));
    return 'finished';
  }
  if (operation && !isCollected) await collectFiles(ctx, deps, operation);
  await transferSteps.complete(ctx.db, leased);
  return 'ended';
}

/** @returns undefined when another process has the lease: then nothing is recorded */
async function record(
  ctx: Context,
  leased: LeasedOperation,
  { id }: OperationRow,
  { change, write }: StepResult,
): Promise<OperationRow | undefined> {
  return ctx.db.transaction(async (tx) => {
    if (!(await transferSteps.extend(tx, leased))) return undefined;
    const target = { id, states: activeStates };
    const row = await updateOperation(tx, target, { attemptCount: 0, ...change });
    if (row) await write?.(tx);
    return row;
  });
}

/**
 * Outages are waited for; the operation fails after several other failures of the same step. A failure is not recorded
 * when another process has the lease: that one may have taken the step.
 */
async function afterFailure(
  ctx: Context,
  { logger }: TransferDeps,
  failed: { operation: OperationRow | undefined; leased: LeasedOperation; error: unknown },
): Promise<void> {
  const { operation, leased, error } = failed;
  const { tenantId, operationId } = leased;
  logger.warn({ tenant: tenantId, operationId, err: error }, 'step of a site transfer failed');
  const isOutage =
    isUnavailable(error) || (error instanceof QuireError && error.code === 'SERVICE_UNAVAILABLE');
  if (!isActive(operation) || isOutage) return transferSteps.reschedule(ctx.db, leased, 'UNAVAILABLE');
  const attemptCount = operation.attemptCount + 1;
  const isFatal = error instanceof QuireError && fatalCodes.has(error.code);
  const target = { id: operationId, states: activeStates };
  await ctx.db.transaction(async (tx) => {
    if (!(await transferSteps.extend(tx, leased))) return;
    if (!isFatal && attemptCount < maxAttempts) {
      await updateOperation(tx, target, { attemptCount });
      return transferSteps.reschedule(tx, leased, 'STEP_FAILED');
    }
    const expiresAt = new Date(Date.now() + failedLifetimeMs);
    await updateOperation(tx, target, { ...failureOf(error), attemptCount, expiresAt });
    await transferSteps.release(tx, leased, expiresAt);
  });
}

function failureOf(error: unknown): OperationChange {
  const isKnown = error instanceof QuireError;
  return {
    state: 'failed',
    errorCode: isKnown ? error.code : 'TRANSFER_EXPORT_ERROR',
    errorDetail: isKnown ? flatDetail(error.details) : null,
    completedAt: new Date(),
  };
}

/** Faults that a repetition does not mend. */
const fatalCodes = new Set<string>(['STORAGE_QUOTA_EXCEEDED', 'TRANSFER_EXPORT_STALLED']);

/** The details of an error that operations store: those that are texts or numbers. */
function flatDetail(details: unknown): Record<string, string | number> | null {
  if (typeof details !== 'object' || details === null) return null;
  const entries = Object.entries(details).filter(
    (entry): entry is [string, string | number] =>
      typeof entry[1] === 'string' || typeof entry[1] === 'number',
  );
  return Object.fromEntries(entries);
}
