import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { TransferDeps } from '../../../transfer-deps.js';
import { nextRequestAfter } from '../../operations/next-request.js';
import { toOperationResponse, type OperationResponse } from '../../operations/operation-response.js';
import { updateOperation, type OperationRow } from '../../operations/operations.repository.js';
import { requestSteps } from '../../operations/request-steps.js';
import { runOperation } from '../../operations/run-operation.js';
import { selectMissingPaths } from '../../package-files/missing-files.repository.js';
import { findImport, importStateError } from '../find-import.js';
import { checkDecisions, isSameDecisions } from '../plan/decisions.js';
import { planOf, type DigestedPlan } from '../plan/get-transfer-import-plan.js';
import { makePlan } from '../plan/make-plan.js';
import type { Decisions } from '../plan/plan.js';

/** Missing files that an error names. */
const maxNamedFiles = 10;

/** An import that is being analyzed, with its plan once it is planned. */
export interface AnalyzedImport extends Partial<DigestedPlan> {
  operation: OperationResponse;
  /** 0 to repeat the request at once, null when there is a plan. */
  nextRequestInMs: number | null;
}

/**
 * Starts or continues the analysis of a package, and takes one step of it unless another process does (contract 25). A
 * planned import gets another plan for other decisions.
 * @param decisions as submitted; the decisions of an earlier request remain without them
 * @throws QuireError TRANSFER_OPERATION_NOT_FOUND, TRANSFER_EXPIRED, TRANSFER_INVALID_STATE after the planning,
 *   TRANSFER_FILE_MISSING, TRANSFER_DECISIONS_INVALID, SERVICE_UNAVAILABLE
 */
export async function analyzeTransferImport(
  ctx: Context,
  deps: TransferDeps,
  { id, decisions: submitted }: { id: string; decisions?: unknown },
): Promise<AnalyzedImport> {
  const found = await findImport(ctx, id);
  const decisions = submitted === undefined ? undefined : await checkDecisions(ctx, deps, submitted);
  const operation = await proceed(ctx, deps, found, decisions);
  if (operation.state !== 'analyzing') return describe(operation, null);
  const outcome = await runOperation(ctx, deps, id, () => true);
  const after = await findImport(ctx, id);
  return describe(after, nextRequestAfter(outcome, { isStepLeft: after.state === 'analyzing' }));
}

/** @returns the operation in `analyzing`, or in `planned` with a plan for the decisions */
async function proceed(
  ctx: Context,
  deps: TransferDeps,
  operation: OperationRow,
  decisions: Decisions | undefined,
): Promise<OperationRow> {
  const row = await proceedFrom(ctx, deps, operation, decisions);
  // Another process has changed the state since it was read: the decisions are for the state that follows.
  return row ?? proceed(ctx, deps, await findImport(ctx, operation.id), decisions);
}

/** @returns undefined when the operation has left its state */
async function proceedFrom(
  ctx: Context,
  deps: TransferDeps,
  operation: OperationRow,
  decisions: Decisions | undefined,
): Promise<OperationRow | undefined> {
  switch (operation.state) {
    case 'uploading':
      return start(ctx, deps, operation, decisions);
    case 'analyzing':
      return decisions ? change(ctx, operation, { ...withDecisions(operation, decisions) }) : operation;
    case 'planned':
      return decisions ? planAgain(ctx, deps, operation, decisions) : operation;
    default:
      throw importStateError(operation);
  }
}

async function start(
  ctx: Context,
  deps: TransferDeps,
  operation: OperationRow,
  decisions: Decisions | undefined,
): Promise<OperationRow | undefined> {
  await assertAllStored(ctx, operation);
  const row = await ctx.db.transaction(async (tx) => {
    const started = await updateOperation(
      tx,
      { id: operation.id, states: ['uploading'] },
      {
        state: 'analyzing',
        stage: 'analyze_structure',
        cursor: {},
        progress: null,
        ...(decisions && withDecisions(operation, decisions)),
      },
    );
    if (started) await requestSteps(ctx, tx, operation.id);
    return started;
  });
  deps.wakeDispatcher();
  return row;
}

/** The plan follows from the decisions and the present state of the site. It is stored only when it differs. */
async function planAgain(
  ctx: Context,
  deps: TransferDeps,
  operation: OperationRow,
  decisions: Decisions,
): Promise<OperationRow | undefined> {
  const planned = await makePlan(ctx, deps, operation, decisions);
  const isSame =
    planned.planDigest === operation.planDigest && isSameDecisions(operation.options.decisions, decisions);
  return isSame ? operation : change(ctx, operation, { ...withDecisions(operation, decisions), ...planned });
}

function withDecisions({ options }: OperationRow, decisions: Decisions): Pick<OperationRow, 'options'> {
  return { options: { ...options, decisions } };
}

/** Changes an operation. @returns undefined when it has left its state */
function change(
  ctx: Context,
  { id, state }: OperationRow,
  values: Parameters<typeof updateOperation>[2],
): Promise<OperationRow | undefined> {
  return updateOperation(ctx.db, { id, states: [state] }, values);
}

/** @throws QuireError TRANSFER_FILE_MISSING with the first paths and the number of the missing files */
async function assertAllStored(ctx: Context, { id }: OperationRow): Promise<void> {
  const { paths, count } = await selectMissingPaths(ctx.db, id, maxNamedFiles);
  if (count === 0) return;
  throw new QuireError('TRANSFER_FILE_MISSING', `${count} files of the package are not uploaded yet`, {
    details: { paths, count },
  });
}

function describe(operation: OperationRow, nextRequestInMs: number | null): AnalyzedImport {
  return {
    operation: toOperationResponse(operation),
    ...(operation.state === 'planned' && planOf(operation)),
    nextRequestInMs,
  };
}
