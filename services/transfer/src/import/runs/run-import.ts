import type { Context } from '@quire/context';
import { isUnavailable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { IntervalTask } from '@quire/runtime';
import type { TransferDeps } from '../../transfer-deps.js';
import {
  importSteps,
  leaseRenewalMs,
  type ImportAddress,
  type LeasedImport,
} from './import-steps.repository.js';
import { ImportProgress, LeaseLostError } from './import-progress.js';
import { deleteExportFile } from './export-file-store.js';
import { phases } from './phases/phases.js';
import { selectImport, updateImport, type ImportRow } from './imports.repository.js';

/** Time after which other imports have their turn. */
const timeBudgetMs = 20_000;
/** Failures of one step, other than outages, before the import fails. */
const maxAttempts = 5;

/** Time until an import is tried again that a site import pauses. */
const pauseMs = 5_000;

/** `leased`: another worker takes the steps. `paused`: a site import is writing. `ended`: there are none. */
export type RunOutcome = 'finished' | 'continued' | 'leased' | 'paused' | 'ended';

/**
 * Takes steps of an import until it has ended or the time is over. Each step is repeatable and records its progress in
 * the transaction that checks the lease, so a worker may die in any of them.
 */
export async function runImportSteps(
  ctx: Context,
  deps: TransferDeps,
  address: ImportAddress,
  isStopping: () => boolean = () => false,
): Promise<RunOutcome> {
  const leased = await importSteps.claimByKey(ctx.db, address);
  return leased ? runLeasedImport(ctx, deps, leased, isStopping) : 'leased';
}

/** The same for an import that is leased already. */
export async function runLeasedImport(
  ctx: Context,
  deps: TransferDeps,
  leased: LeasedImport,
  isStopping: () => boolean = () => false,
): Promise<RunOutcome> {
  const row = await selectImport(ctx.db, leased.importId);
  if (row?.state !== 'running') {
    await importSteps.complete(ctx.db, leased);
    return 'ended';
  }
  // The content service rejects the writes of a step that has begun before.
  if (await deps.fence.isRaised(ctx)) {
    await importSteps.release(ctx.db, leased, new Date(Date.now() + pauseMs));
    return 'paused';
  }
  const deadline = Date.now() + timeBudgetMs;
  const mustStop = () => isStopping() || Date.now() > deadline;
  const renewal = new IntervalTask({
    // A lost lease is noticed when the step is recorded.
    work: async () => void (await importSteps.extend(ctx.db, leased)),
    everyMs: leaseRenewalMs,
    failure: 'lease of an import not extended',
    logger: deps.logger,
  });
  renewal.start();
  try {
    return await takeSteps(ctx, deps, { row, leased, mustStop });
  } catch (error) {
    if (error instanceof LeaseLostError) return 'leased';
    await afterFailure(ctx, deps, { row, leased, error });
    return 'continued';
  } finally {
    await renewal.stop();
  }
}

interface LeasedRun {
  row: ImportRow;
  leased: LeasedImport;
  mustStop: () => boolean;
}

async function takeSteps(ctx: Context, deps: TransferDeps, run: LeasedRun): Promise<RunOutcome> {
  const progress = new ImportProgress(ctx, run.row, run.leased);
  for (;;) {
    const { phase } = progress.row;
    if (phase === 'end') break;
    await phases[phase](ctx, deps, progress, run.mustStop);
    if (progress.isPaused) {
      await importSteps.complete(ctx.db, run.leased);
      return 'ended';
    }
    if (run.mustStop() && !progress.isDone) {
      await importSteps.release(ctx.db, run.leased);
      return 'continued';
    }
  }
  await finish(deps, progress);
  return 'finished';
}

async function finish(deps: TransferDeps, progress: ImportProgress): Promise<void> {
  const { id, fileKey } = progress.row;
  await progress.complete();
  if (fileKey !== null) await deleteExportFile(deps, { id, fileKey });
}

/**
 * Outages are waited for. The import fails at once for a fault that a repetition does not mend, and after several other
 * failures of the same step.
 */
async function afterFailure(
  ctx: Context,
  { logger }: TransferDeps,
  { row, leased, error }: { row: ImportRow; leased: LeasedImport; error: unknown },
): Promise<void> {
  const isOutage =
    isUnavailable(error) || (error instanceof QuireError && error.code === 'SERVICE_UNAVAILABLE');
  logger.warn({ tenant: leased.tenantId, importId: row.id, err: error }, 'import step failed');
  const present = isOutage ? row : await selectImport(ctx.db, row.id);
  const attempts = (present?.attempts ?? 0) + (isOutage ? 0 : 1);
  if (isPermanent(error) || attempts >= maxAttempts) {
    const failure = { state: 'failed' as const, attempts, error: describe(error), finishedAt: new Date() };
    await updateImport(ctx.db, { id: row.id, states: ['running'] }, failure);
    await importSteps.complete(ctx.db, leased);
    return;
  }
  if (!isOutage) await updateImport(ctx.db, { id: row.id, states: ['running'] }, { attempts });
  await importSteps.reschedule(ctx.db, leased, isOutage ? 'UNAVAILABLE' : 'STEP_FAILED');
}

/** Faults that a repetition does not mend, although their status does not show it. */
const permanentCodes = new Set<string>([
  'IMPORT_TAXONOMY_CONFLICT',
  'STORAGE_QUOTA_EXCEEDED',
  'IMPORT_ERROR',
]);
/** Rejections that concern the moment: keys that are being replaced, concurrent changes, too many requests. */
const transientStatuses = new Set([401, 408, 409, 429]);

/** Whether a repetition of the step would fail in the same way: a service has rejected its request. */
function isPermanent(error: unknown): boolean {
  if (!(error instanceof QuireError)) return false;
  return permanentCodes.has(error.code) || (error.status < 500 && !transientStatuses.has(error.status));
}

function describe(error: unknown): { code: string; message: string } {
  if (error instanceof QuireError) return { code: error.code, message: error.message };
  return { code: 'IMPORT_ERROR', message: 'A step of the import failed repeatedly; the log has the cause' };
}
