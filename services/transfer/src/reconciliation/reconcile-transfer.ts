import type { Queryable } from '@quire/database';
import type { Reconcile } from '@quire/tenancy';
import { requestForgottenDownloads } from '../import/media/index.js';
import { importSteps } from '../import/runs/index.js';
import { activeStates } from '../site/operations/record-step.js';
import { transferSteps } from '../site/operations/transfer-steps.repository.js';

/** Makes the next steps of imports, transfers and downloads due. They continue, or fail with their own error. */
export const reconcileTransfer: Reconcile = async (tx, { id: tenantId }) => {
  const imports = await selectForgotten(tx, tenantId, {
    rows: "SELECT id FROM imports WHERE state = 'running'",
    work: `${importSteps.definition.name} w WHERE w.import_id = r.id`,
  });
  for (const importId of imports) await importSteps.enqueue(tx, { tenantId, importId });
  // The files of an operation that has ended are still to be deleted.
  const states = activeStates.map((state) => `'${state}'`).join(', ');
  const operations = await selectForgotten(tx, tenantId, {
    rows: `SELECT id FROM transfer_operations
      WHERE state IN (${states}) OR expires_at IS NOT NULL AND staging_collected_at IS NULL`,
    work: `${transferSteps.definition.name} w WHERE w.operation_id = r.id`,
  });
  for (const operationId of operations) await transferSteps.enqueue(tx, { tenantId, operationId });
  return {
    'imports without work': imports.length,
    'transfers without work': operations.length,
    'downloads without work': await requestForgottenDownloads(tx, tenantId),
  };
};

/** Ids of rows of a site without a row of work. */
async function selectForgotten(
  tx: Queryable,
  tenantId: string,
  { rows, work }: { rows: string; work: string },
): Promise<string[]> {
  const forgotten = await tx.query<{ id: string }>(
    `SELECT r.id FROM (${rows}) r WHERE NOT EXISTS (SELECT FROM ${work} AND w.tenant_id = $1) ORDER BY r.id`,
    [tenantId],
  );
  return forgotten.map(({ id }) => id);
}
