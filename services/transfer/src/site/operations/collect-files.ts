import type { Context } from '@quire/context';
import { recordOwners, siteRecords } from '@quire/internal-api';
import type { TransferDeps } from '../../transfer-deps.js';
import { deleteFiles } from '../package-files/package-files.repository.js';
import { deleteObjects } from '../package-files/stored-files.js';
import { updateOperation, type OperationRow } from './operations.repository.js';

/** Deletes the files and the copied records of an operation whose time is over. A complete one becomes `expired`. */
export async function collectFiles(
  ctx: Context,
  { clients, store }: Pick<TransferDeps, 'clients' | 'store'>,
  { id, state }: OperationRow,
): Promise<void> {
  await deleteObjects(ctx, store, id);
  for (const owner of recordOwners)
    await clients[owner].call(siteRecords[owner].discard, ctx, { operationId: id });
  await ctx.db.transaction(async (tx) => {
    await deleteFiles(tx, id);
    await updateOperation(
      tx,
      { id, states: [state] },
      {
        state: state === 'complete' ? 'expired' : state,
        stagingCollectedAt: new Date(),
      },
    );
  });
}
