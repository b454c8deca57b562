import type { Context } from '@quire/context';
import { isUnavailable } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { TransferDeps } from '../../transfer-deps.js';
import { storeError } from '../package-files/stored-files.js';
import { updateOperation, type OperationChange, type OperationRow } from './operations.repository.js';
import { activeStates, endedNow, isActive } from './record-step.js';
import { transferSteps, type LeasedOperation } from './transfer-steps.repository.js';

/** Failures of one step, other than outages, before the operation fails. */
const maxAttempts = 5;

/** Faults that a repetition does not mend. */
const fatalCodes = new Set<string>([
  'STORAGE_QUOTA_EXCEEDED',
  'TRANSFER_EXPORT_STALLED',
  'TRANSFER_LIMIT_EXCEEDED',
  'TRANSFER_ANALYZE_ERROR',
]);

/** Faults of a request that a repetition mends. */
const repeatedCodes = new Set<string>([
  'TRANSFER_EXPORT_CONCURRENT_WRITES',
  'TRANSFER_INVALID_STATE',
  'RATE_LIMITED',
]);

/**
 * Records the failure of a step. Outages are waited for; the operation fails after several other failures of the same
 * step. A failure is not recorded when another process has the lease: that one may have taken the step.
 * @returns the operation when it has failed, with the lease; undefined when the step is repeated later
 */
export async function recordFailure(
  ctx: Context,
  { logger }: Pick<TransferDeps, 'logger'>,
  failed: { operation: OperationRow | undefined; leased: LeasedOperation; error: unknown },
): Promise<OperationRow | undefined> {
  const { operation, leased } = failed;
  // The bytes of an object may end with an error of the store.
  const error = storeError(failed.error);
  const { tenantId, operationId } = leased;
  logger.warn({ tenant: tenantId, operationId, err: error }, 'step of a site transfer failed');
  if (!isActive(operation) || isOutage(error)) {
    await transferSteps.reschedule(ctx.db, leased, 'UNAVAILABLE');
    return undefined;
  }
  const attemptCount = operation.attemptCount + 1;
  const target = { id: operationId, states: activeStates };
  return ctx.db.transaction(async (tx) => {
    if (!(await transferSteps.extend(tx, leased))) return undefined;
    if (attemptCount >= maxAttempts || isFatal(error, operation))
      return updateOperation(tx, target, { ...failureOf(error, operation), attemptCount });
    await updateOperation(tx, target, { attemptCount });
    await transferSteps.reschedule(tx, leased, 'STEP_FAILED');
    return undefined;
  });
}

function isOutage(error: unknown): boolean {
  return isUnavailable(error) || (error instanceof QuireError && error.code === 'SERVICE_UNAVAILABLE');
}

/** A service that rejects a write of an import rejects it again. */
function isFatal(error: unknown, { kind }: OperationRow): boolean {
  if (!(error instanceof QuireError)) return false;
  if (fatalCodes.has(error.code)) return true;
  return kind === 'import' && error.status < 500 && !repeatedCodes.has(error.code);
}

function failureOf(error: unknown, operation: OperationRow): OperationChange {
  const isKnown = error instanceof QuireError && error.code !== 'INTERNAL_ERROR';
  return {
    state: 'failed',
    errorCode: isKnown ? error.code : generalCodeOf(operation),
    errorDetail: isKnown ? flatDetail(error.details) : null,
    ...endedNow(),
  };
}

/** The code of failures without one. */
function generalCodeOf({ kind, state }: OperationRow): string {
  if (kind === 'export') return 'TRANSFER_EXPORT_ERROR';
  return state === 'analyzing' ? 'TRANSFER_ANALYZE_ERROR' : 'TRANSFER_IMPORT_ERROR';
}

/** The details of an error that operations store: those that are texts or numbers. */
function flatDetail(details: unknown): Record<string, string | number> | null {
  if (typeof details !== 'object' || details === null) return null;
  const entries = Object.entries(details).filter(
    (entry): entry is [string, string | number] =>
      typeof entry[1] === 'string' || typeof entry[1] === 'number',
  );
  return Object.fromEntries(entries);
}
