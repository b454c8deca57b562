import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { advanceTransfer, outboxRow, sendMessage } from '@quire/jobs';
import { transferSteps } from './transfer-steps.repository.js';

/**
 * Lets a worker take the next step of an operation, in the transaction that makes it due: at once by its job, and by
 * the runner when the job is lost. A step that waits after a failure is due now.
 */
export async function requestSteps(ctx: Context, tx: Transaction, operationId: string): Promise<void> {
  const tenantId = ctx.principal.tenant.id;
  await transferSteps.enqueue(tx, { tenantId, operationId });
  await sendMessage(tx, 'transfer', outboxRow(advanceTransfer, { tenantId, operationId }));
}
