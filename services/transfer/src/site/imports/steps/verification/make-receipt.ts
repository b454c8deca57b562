import type { Context } from '@quire/context';
import { canonicalDigestOf, RunningDigest } from '@quire/site-package';
import type { TransferDeps } from '../../../../transfer-deps.js';
import type { OperationRow } from '../../../operations/operations.repository.js';
import { planOf } from '../execution/execution-result.js';
import type { Receipt } from '../../receipt/receipt.js';

/** The proof of an import whose verification has ended (contract 25). */
export async function makeReceipt(
  { principal }: Pick<Context, 'principal'>,
  { options }: Pick<TransferDeps, 'options'>,
  operation: OperationRow,
  completedAt: Date,
): Promise<Receipt> {
  const { id, packageDigest, planDigest, cursor } = operation;
  const { formatVersion, origin, warnings } = planOf(operation);
  const { counts = {}, logicalState } = cursor.execution?.verification ?? {};
  if (packageDigest === null || planDigest === null) throw new Error('The import has no digests');
  const receipt: Omit<Receipt, 'receiptDigest'> = {
    operationId: id,
    packageDigest,
    planDigest,
    targetSiteId: principal.tenant.id,
    originSiteId: origin.siteId,
    formatVersion,
    importerVersion: options.version,
    completedAt: completedAt.toISOString(),
    logicalDigest: (await RunningDigest.open(logicalState)).digest(),
    counts,
    warnings: warnings.map(({ code, message }) => ({ code, message })),
    verification: 'verified',
  };
  return { ...receipt, receiptDigest: canonicalDigestOf(receipt) };
}
