import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import type { TransferDeps } from '../../../transfer-deps.js';
import { updateOperation, type OperationRow } from '../../operations/operations.repository.js';
import { requestSteps } from '../../operations/request-steps.js';
import { findImport, importStateError } from '../find-import.js';
import { checkExecutable, type ExecutionRequest } from './check-executable.js';
import { checkTarget, firstProgress } from '../steps/index.js';

/**
 * Starts a planned import: a worker, or `advanceTransferImport`, takes its steps. Of two requests at once one starts.
 * @param write further writes of the transaction; the import does not start if it throws
 * @returns the import, in the state `running`
 * @throws QuireError as `checkExecutable`, then TRANSFER_TARGET_NOT_EMPTY; SERVICE_UNAVAILABLE
 */
export async function executeTransferImport(
  ctx: Context,
  deps: TransferDeps,
  { write, ...request }: ExecutionRequest & { write?: ((tx: Transaction) => Promise<void>) | undefined },
): Promise<OperationRow> {
  const { id, packageDigest, planDigest } = request;
  const { plan } = await checkExecutable(ctx, request);
  await checkTarget(ctx, deps);
  const progress = await firstProgress(ctx.db, id, plan);
  const operation = await ctx.db.transaction(async (tx) => {
    const row = await updateOperation(
      tx,
      { id, states: ['planned'], planDigest },
      {
        state: 'running',
        stage: 'reserve',
        cursor: { execution: {} },
        progress,
        attemptCount: 0,
        expiresAt: null,
      },
    );
    if (!row) return undefined;
    await requestSteps(ctx, tx, id);
    await write?.(tx);
    const target = { type: 'site-import', id } as const;
    await audit(ctx, tx, {
      action: 'site-import.started',
      target,
      details: { packageDigest, planDigest },
    });
    return row;
  });
  if (!operation) throw importStateError(await findImport(ctx, id));
  deps.wakeDispatcher();
  return operation;
}
