import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import type { Logger } from '@quire/observability';
import { WorkQueueRunner } from '@quire/runtime';
import { deleteLeasedCollectionUsage } from './operations/delete-collection-usage.js';
import { indexLeasedEntry } from './operations/index-entry.js';
import { repairCollection } from './operations/repair-collection.js';
import { claimDueDeletions, deleteDeletion } from './usage-deletions.repository.js';
import { selectCollectionCoverage } from './usage-coverage.repository.js';
import { claimRebuilds, deleteRebuild, type ClaimedRebuild } from './usage-rebuilds.repository.js';
import type { UsageDeps } from './usage-deps.js';
import { claimDueWork, deleteWork } from './usage-work.repository.js';

export interface UsageRunnersDeps {
  /** The shared schema of each database of the service. */
  databases: readonly Queryable[];
  usageDeps: UsageDeps;
  /** A context of system work on a tenant, or undefined when the tenant is gone. */
  contextOf: (tenantId: string, requestId: string) => Promise<Context | undefined>;
  logger: Logger;
}

/**
 * What goes on with work that was left: entries whose indexing failed, was asked for again or lost its worker,
 * deletions of collections that broke off, and collections whose index is to be built anew. Several may run at once:
 * each piece is claimed by one.
 */
export function usageRunners(deps: UsageRunnersDeps): { start(): void; stop(): Promise<void> } {
  const { databases, usageDeps, contextOf, logger } = deps;
  const entries = new WorkQueueRunner({
    databases,
    logger,
    claim: claimDueWork,
    take: async (sql, leased) => {
      const ctx = await contextOf(leased.tenantId, `sweep:${leased.contentId}`);
      if (!ctx) return deleteWork(sql, leased);
      const outcome = await indexLeasedEntry(ctx, usageDeps, leased);
      const { tenantId, collectionSlug, contentId, attemptCount } = leased;
      logger.info(
        { tenant: tenantId, collection: collectionSlug, entryId: contentId, attemptCount, outcome },
        'media usage indexed by recovery runner',
      );
    },
    failureMessage: 'media usage indexing rescheduled',
    fieldsOf: ({ tenantId, collectionSlug, contentId, attemptCount }) => ({
      tenant: tenantId,
      collection: collectionSlug,
      entryId: contentId,
      attemptCount,
    }),
    failure: 'media usage indexing failed',
  });
  const deletions = new WorkQueueRunner({
    databases,
    logger,
    claim: claimDueDeletions,
    take: async (sql, leased) => {
      const ctx = await contextOf(leased.tenantId, `sweep:${leased.collectionId}`);
      await (ctx ? deleteLeasedCollectionUsage(ctx, usageDeps, leased) : deleteDeletion(sql, leased));
    },
    failureMessage: 'media usage deletion rescheduled',
    fieldsOf: ({ tenantId, collectionId }) => ({ tenant: tenantId, collectionId }),
    failure: 'media usage deletion failed',
  });
  const rebuilds = new WorkQueueRunner({
    databases,
    logger,
    claim: claimRebuilds,
    take: (sql, rebuild) => takeRebuild(sql, rebuild, deps),
    failureMessage: 'media usage rebuild rescheduled',
    fieldsOf: ({ tenantId, collectionSlug }) => ({ tenant: tenantId, collection: collectionSlug }),
    failure: 'media usage rebuild failed',
  });
  const sweeps = [entries, deletions, rebuilds];
  return {
    start: () => sweeps.forEach((sweep) => sweep.start()),
    stop: async () => void (await Promise.all(sweeps.map((sweep) => sweep.stop()))),
  };
}

async function takeRebuild(
  sql: Queryable,
  rebuild: ClaimedRebuild,
  { usageDeps, contextOf, logger }: UsageRunnersDeps,
): Promise<void> {
  const { tenantId, collectionId, collectionSlug } = rebuild;
  const ctx = await contextOf(tenantId, `sweep:${collectionId}`);
  if (!ctx) return deleteRebuild(sql, rebuild);
  // Beginning a second repair would make the first give up, and then neither might ever come through.
  if ((await selectCollectionCoverage(ctx.db, collectionId))?.isRepairAlive) return;
  const { status, lastErrorCode } = await repairCollection(ctx, usageDeps, {
    id: collectionId,
    slug: collectionSlug,
  });
  logger.info(
    { tenant: tenantId, collection: collectionSlug, status, lastErrorCode },
    'media usage index rebuilt',
  );
  if (status === 'complete' || lastErrorCode === 'COLLECTION_GONE') await deleteRebuild(sql, rebuild);
}
