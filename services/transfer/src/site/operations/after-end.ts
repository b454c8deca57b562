import type { Context } from '@quire/context';
import type { TransferDeps } from '../../transfer-deps.js';
import { collectFiles } from './collect-files.js';
import { isFenced, selectOperation, type OperationRow } from './operations.repository.js';
import { isActive } from './record-step.js';
import { transferSteps, type LeasedOperation } from './transfer-steps.repository.js';

/**
 * The last step of an operation that has ended. It makes the site writable again when the import has changed nothing,
 * and is due again when the files of the operation expire: then it deletes them.
 * @returns `finished` until the files are deleted
 * @throws QuireError SERVICE_UNAVAILABLE; the step is repeated
 */
export async function afterEnd(
  ctx: Context,
  deps: TransferDeps,
  { leased, operation }: { leased: LeasedOperation; operation: OperationRow | undefined },
): Promise<'finished' | 'continued' | 'ended'> {
  if (operation) await liftUnusedFence(ctx, deps, operation);
  const { expiresAt = null, stagingCollectedAt = null } = operation ?? {};
  const isCollected = expiresAt === null || stagingCollectedAt !== null;
  if (!isCollected && Date.parse(expiresAt) > Date.now()) {
    await transferSteps.release(ctx.db, leased, new Date(expiresAt));
    await resumeSteps(ctx, leased);
    return 'finished';
  }
  if (operation && !isCollected && !(await collectFiles(ctx, deps, operation))) {
    await transferSteps.release(ctx.db, leased);
    return 'continued';
  }
  await transferSteps.complete(ctx.db, leased);
  return 'ended';
}

/** Makes the steps due of an import that was started while its lease was held: that request found the lease. */
async function resumeSteps(ctx: Context, { tenantId, operationId }: LeasedOperation): Promise<void> {
  const operation = await selectOperation(ctx.db, { id: operationId });
  if (isActive(operation)) await transferSteps.enqueue(ctx.db, { tenantId, operationId });
}

/** The fence of an import that was abandoned or changed nothing has no use, unless a later import has raised it. */
async function liftUnusedFence(
  ctx: Context,
  { fence }: TransferDeps,
  { state, cursor, mutationStartedAt }: OperationRow,
): Promise<void> {
  const hasEnded = state === 'failed' || state === 'cancelled';
  const isUnused = state === 'abandoned' || (hasEnded && mutationStartedAt === null);
  if (!isUnused || cursor.execution === undefined) return;
  if (!(await isFenced(ctx.db))) await fence.lift(ctx);
}
