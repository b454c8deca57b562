import type { Context } from '@quire/context';
import type { TransferDeps } from '../../transfer-deps.js';
import { deleteFiles } from '../package-files/package-files.repository.js';
import { deleteObjects } from '../package-files/stored-files.js';
import { deleteKeys, withLongStatements } from '../imports/index.js';
import { discardCopies } from './copies.js';
import { updateOperation, type OperationRow } from './operations.repository.js';
import { expiringStates, type OperationState } from './transfer-operation.entity.js';

/**
 * Deletes the files and the copied records of an operation whose time is over. It becomes `expired` when it is of no
 * use without them.
 * @returns false when the operation has got another state: then nothing is deleted
 */
export async function collectFiles(
  ctx: Context,
  deps: Pick<TransferDeps, 'clients' | 'store'>,
  operation: Pick<OperationRow, 'id' | 'kind' | 'state' | 'cursor'>,
): Promise<boolean> {
  const { id, kind, state } = operation;
  const end: OperationState = expiringStates[kind].includes(state) ? 'expired' : state;
  // First of all, so that uploads in progress fail and delete their objects.
  if (!(await updateOperation(ctx.db, { id, states: [state] }, { state: end }))) return false;
  await deleteObjects(ctx, deps.store, id);
  await discardCopies(ctx, deps, operation);
  if (kind === 'import') await withLongStatements(ctx.db, (tx) => deleteKeys(tx, id));
  await ctx.db.transaction(async (tx) => {
    await deleteFiles(tx, id);
    await updateOperation(tx, { id, states: [end] }, { stagingCollectedAt: new Date() });
  });
  return true;
}
