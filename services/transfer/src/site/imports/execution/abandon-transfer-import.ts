import { setTimeout as wait } from 'node:timers/promises';
import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { recordOwners, siteRecords } from '@quire/internal-api';
import type { TransferDeps } from '../../../transfer-deps.js';
import { updateOperation, type OperationRow } from '../../operations/operations.repository.js';
import { runOperation, whileLeased } from '../../operations/run-operation.js';
import { transferSteps, type LeasedOperation } from '../../operations/transfer-steps.repository.js';
import type { OperationState } from '../../operations/transfer-operation.entity.js';
import { findImport, importStateError } from '../find-import.js';

const abandonableStates: readonly OperationState[] = ['failed', 'cancelled'];
const retryAfterSeconds = 5;
/** Attempts at the lease, and the time between them: another process may take the last step of the import. */
const leaseAttempts = 50;
const leaseDelayMs = 200;

/**
 * Gives up a failed or cancelled import (contract 25). What it had written is deleted: the site is empty then, also
 * without the records that it had from its beginning, and writable again. The files of the package are deleted.
 * @returns the import, in the state `abandoned`
 * @throws QuireError TRANSFER_OPERATION_NOT_FOUND, TRANSFER_EXPIRED, TRANSFER_INVALID_STATE in other states;
 *   SERVICE_UNAVAILABLE: the state is unchanged, and the request can be repeated
 */
export async function abandonTransferImport(
  ctx: Context,
  deps: TransferDeps,
  id: string,
): Promise<OperationRow> {
  assertAbandonable(await findImport(ctx, id));
  const leased = await leaseSteps(ctx, id);
  const operation = await whileLeased(ctx, deps, leased, async () => {
    try {
      return await abandonLeased(ctx, deps, leased);
    } finally {
      await transferSteps.release(ctx.db, leased);
    }
  });
  // Lifts the fence and deletes the files. A worker does so when it fails.
  await runOperation(ctx, deps, id, () => true);
  return operation;
}

function assertAbandonable(operation: OperationRow): void {
  if (!abandonableStates.includes(operation.state)) throw importStateError(operation);
}

/** Leases the steps, so that two requests do not delete records at once. @throws QuireError SERVICE_UNAVAILABLE */
async function leaseSteps(ctx: Context, operationId: string): Promise<LeasedOperation> {
  const key = { tenantId: ctx.principal.tenant.id, operationId };
  for (let attempt = 0; attempt < leaseAttempts; attempt += 1) {
    if (attempt > 0) await wait(leaseDelayMs);
    // There is no row any more once the files are deleted.
    await transferSteps.enqueue(ctx.db, key);
    const leased = await transferSteps.claimByKey(ctx.db, key);
    if (leased) return leased;
  }
  throw leaseLost();
}

async function abandonLeased(
  ctx: Context,
  deps: TransferDeps,
  leased: LeasedOperation,
): Promise<OperationRow> {
  const { operationId: id } = leased;
  const operation = await findImport(ctx, id);
  assertAbandonable(operation);
  if (operation.mutationStartedAt !== null) await clearSite(ctx, deps, leased);
  return ctx.db.transaction(async (tx) => {
    if (!(await transferSteps.extend(tx, leased))) throw leaseLost();
    const now = new Date();
    const values = { state: 'abandoned', completedAt: operation.completedAt ?? now, expiresAt: now } as const;
    const row = await updateOperation(
      tx,
      { id, states: abandonableStates },
      { ...values, stagingCollectedAt: null },
    );
    if (!row) throw importStateError(operation);
    await audit(ctx, tx, { action: 'site-import.abandoned', target: { type: 'site-import', id } });
    return row;
  });
}

/** Deletes all records that imports write. */
async function clearSite(ctx: Context, { clients }: TransferDeps, leased: LeasedOperation): Promise<void> {
  const { operationId, fencingToken } = leased;
  for (const owner of recordOwners) {
    for (let isComplete = false; !isComplete;) {
      if (!(await transferSteps.extend(ctx.db, leased))) throw leaseLost();
      ({ isComplete } = await clients[owner].call(siteRecords[owner].clear, ctx, {
        operationId,
        fencingToken,
      }));
    }
  }
}

function leaseLost(): QuireError {
  return new QuireError('SERVICE_UNAVAILABLE', 'Another process works on the import; retry later', {
    retryAfterSeconds,
  });
}
