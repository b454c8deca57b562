import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import type { Logger } from '@quire/observability';
import type { Sweep } from '@quire/runtime';
import { WorkQueueRunner } from '@quire/work-queue';
import { deleteLeasedCollectionUsage } from './operations/delete-collection-usage.js';
import { indexLeasedEntry } from './operations/index-entry.js';
import { repairCollection } from './operations/repair-collection.js';
import { usageDeletions } from './usage-deletions.repository.js';
import { selectCollectionCoverage } from './usage-coverage.repository.js';
import { usageRebuilds, type ClaimedRebuild } from './usage-rebuilds.repository.js';
import type { UsageDeps } from './usage-deps.js';
import { usageWork } from './usage-work.repository.js';

export interface UsageRunnersDeps {
  /** The shared schema of each database of the service. */
  databases: readonly Queryable[];
  usageDeps: UsageDeps;
  /** A context of system work on a tenant, or undefined when the tenant is deleted. */
  contextOf: (tenantId: string, requestId: string) => Promise<Context | undefined>;
  logger: Logger;
}

/** A sweep of each table of work. */
export interface UsageRunners {
  entries: Sweep;
  deletions: Sweep;
  rebuilds: Sweep;
}

/**
 * Continues pending work: entries whose indexing failed, was requested again or lost its worker, interrupted deletions
 * of collections, and collections whose index is to be rebuilt. Leased work records its failures itself, with an error
 * code, so its runners do not reschedule.
 */
export function usageRunners(deps: UsageRunnersDeps): UsageRunners {
  const { databases, usageDeps, contextOf, logger } = deps;
  const entries = new WorkQueueRunner({
    databases,
    logger,
    table: {
      claim: (sql, limit) => usageWork.claim(sql, limit),
      postpone: (sql, leased, afterSeconds) => usageWork.postpone(sql, leased, afterSeconds),
    },
    process: async (sql, leased) => {
      const ctx = await contextOf(leased.tenantId, `sweep:${leased.contentId}`);
      if (!ctx) return void (await usageWork.complete(sql, leased));
      const outcome = await indexLeasedEntry(ctx, usageDeps, leased);
      const { tenantId, collectionSlug, contentId, attempts } = leased;
      logger.info(
        { tenant: tenantId, collection: collectionSlug, entryId: contentId, attempts, outcome },
        'media usage indexed by recovery runner',
      );
    },
    failureMessage: 'media usage indexing rescheduled',
    fieldsOf: ({ tenantId, collectionSlug, contentId, attempts }) => ({
      tenant: tenantId,
      collection: collectionSlug,
      entryId: contentId,
      attempts,
    }),
    failure: 'media usage indexing failed',
  });
  const deletions = new WorkQueueRunner({
    databases,
    logger,
    table: {
      claim: (sql, limit) => usageDeletions.claim(sql, limit),
      postpone: (sql, leased, afterSeconds) => usageDeletions.postpone(sql, leased, afterSeconds),
    },
    process: async (sql, leased) => {
      const ctx = await contextOf(leased.tenantId, `sweep:${leased.collectionId}`);
      await (ctx
        ? deleteLeasedCollectionUsage(ctx, usageDeps, leased)
        : usageDeletions.complete(sql, leased));
    },
    failureMessage: 'media usage deletion rescheduled',
    fieldsOf: ({ tenantId, collectionId }) => ({ tenant: tenantId, collectionId }),
    failure: 'media usage deletion failed',
  });
  const rebuilds = new WorkQueueRunner({
    databases,
    logger,
    table: usageRebuilds,
    tenantOf: ({ tenantId }) => tenantId,
    process: (sql, rebuild) => processRebuild(sql, rebuild, deps),
    failureMessage: 'media usage rebuild rescheduled',
    fieldsOf: ({ tenantId, collectionSlug }) => ({ tenant: tenantId, collection: collectionSlug }),
    failure: 'media usage rebuild failed',
  });
  return { entries, deletions, rebuilds };
}

async function processRebuild(
  sql: Queryable,
  rebuild: ClaimedRebuild,
  { usageDeps, contextOf, logger }: UsageRunnersDeps,
): Promise<void> {
  const { tenantId, collectionId, collectionSlug } = rebuild;
  const ctx = await contextOf(tenantId, `sweep:${collectionId}`);
  if (!ctx) return void (await usageRebuilds.complete(sql, rebuild));
  // A second repair would end the first one, and repeated ones would never complete.
  const isRepairAlive = (await selectCollectionCoverage(ctx.db, collectionId))?.isRepairAlive;
  if (isRepairAlive) return void (await usageRebuilds.reschedule(sql, rebuild));
  const { status, lastErrorCode } = await repairCollection(ctx, usageDeps, {
    id: collectionId,
    slug: collectionSlug,
  });
  logger.info(
    { tenant: tenantId, collection: collectionSlug, status, lastErrorCode },
    'media usage index rebuilt',
  );
  const isDone = status === 'complete' || lastErrorCode === 'COLLECTION_GONE';
  await (isDone ? usageRebuilds.complete(sql, rebuild) : usageRebuilds.reschedule(sql, rebuild));
}
