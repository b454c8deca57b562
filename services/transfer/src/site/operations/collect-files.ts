import type { Context } from '@quire/context';
import type { TransferDeps } from '../../transfer-deps.js';
import { deleteFiles } from '../package-files/package-files.repository.js';
import { deleteObjects } from '../package-files/stored-files.js';
import { discardCopies } from './copies.js';
import { updateOperation, type OperationRow } from './operations.repository.js';
import type { OperationKind, OperationState } from './transfer-operation.entity.js';

/** States of operations that nothing can be done with once their files are deleted. */
const expiringStates: Readonly<Record<OperationKind, readonly OperationState[]>> = {
  export: ['complete'],
  import: ['uploading', 'analyzing', 'planned'],
};

/**
 * Deletes the files and the copied records of an operation whose time is over. A complete export becomes `expired`, and
 * so does an import that was not executed; a complete import remains complete.
 */
export async function collectFiles(
  ctx: Context,
  deps: Pick<TransferDeps, 'clients' | 'store'>,
  operation: OperationRow,
): Promise<void> {
  const { id, kind, state } = operation;
  await deleteObjects(ctx, deps.store, id);
  await discardCopies(ctx, deps, operation);
  await ctx.db.transaction(async (tx) => {
    await deleteFiles(tx, id);
    await updateOperation(
      tx,
      { id, states: [state] },
      {
        state: expiringStates[kind].includes(state) ? 'expired' : state,
        stagingCollectedAt: new Date(),
      },
    );
  });
}
