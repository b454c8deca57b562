import type { Context } from '@quire/context';
import type { Sql } from '@quire/database';
import type { Logger } from '@quire/observability';
import { Sweep } from '@quire/runtime';
import { forgetLeasedCollection } from './operations/forget-collection.js';
import { indexLeasedEntry } from './operations/index-entry.js';
import { repairCollection } from './operations/repair-collection.js';
import { claimDueDeletions, forgetDeletion } from './usage-deletions.repository.js';
import { coverageOf } from './usage-coverage.repository.js';
import { claimRebuilds, forgetRebuild, type ClaimedRebuild } from './usage-rebuilds.repository.js';
import type { UsageServices } from './usage-services.js';
import { claimDueWork, forgetWork } from './usage-work.repository.js';

export interface UsageSweepParts {
  /** The shared schema of each database of the service. */
  databases: readonly Sql[];
  services: UsageServices;
  /** A context of system work on a tenant, or undefined when the tenant is gone. */
  contextOf: (tenantId: string, requestId: string) => Promise<Context | undefined>;
  logger: Logger;
}

/**
 * What goes on with work that was left: entries whose indexing failed, was asked for again or lost its worker, deletions of
 * collections that broke off, and collections whose index is to be built anew. Several may run at once: each piece is claimed by one.
 */
export function usageSweeps(parts: UsageSweepParts): { start(): void; stop(): Promise<void> } {
  const { databases, services, contextOf, logger } = parts;
  const entries = new Sweep({
    databases,
    logger,
    claim: claimDueWork,
    take: async (sql, leased) => {
      const ctx = await contextOf(leased.tenantId, `sweep:${leased.contentId}`);
      if (!ctx) return forgetWork(sql, leased);
      const ending = await indexLeasedEntry(ctx, services, leased);
      const { tenantId, collectionSlug, contentId, attemptCount } = leased;
      logger.info(
        { tenant: tenantId, collection: collectionSlug, entryId: contentId, attemptCount, ending },
        'media usage was swept up',
      );
    },
    setback: 'the media usage of an entry is indexed later',
    fieldsOf: ({ tenantId, collectionSlug, contentId, attemptCount }) => ({
      tenant: tenantId,
      collection: collectionSlug,
      entryId: contentId,
      attemptCount,
    }),
    failure: 'the media usage of entries cannot be indexed now',
  });
  const deletions = new Sweep({
    databases,
    logger,
    claim: claimDueDeletions,
    take: async (sql, leased) => {
      const ctx = await contextOf(leased.tenantId, `sweep:${leased.collectionId}`);
      await (ctx ? forgetLeasedCollection(ctx, services, leased) : forgetDeletion(sql, leased));
    },
    setback: 'the media usage of a deleted collection is forgotten later',
    fieldsOf: ({ tenantId, collectionId }) => ({ tenant: tenantId, collectionId }),
    failure: 'the media usage of deleted collections cannot be forgotten now',
  });
  const rebuilds = new Sweep({
    databases,
    logger,
    claim: claimRebuilds,
    take: (sql, rebuild) => takeRebuild(sql, rebuild, parts),
    setback: 'the media usage of a collection is built anew later',
    fieldsOf: ({ tenantId, collectionSlug }) => ({ tenant: tenantId, collection: collectionSlug }),
    failure: 'the media usage of collections cannot be built anew now',
  });
  const sweeps = [entries, deletions, rebuilds];
  return {
    start: () => sweeps.forEach((sweep) => sweep.start()),
    stop: async () => void (await Promise.all(sweeps.map((sweep) => sweep.stop()))),
  };
}

async function takeRebuild(
  sql: Sql,
  rebuild: ClaimedRebuild,
  { services, contextOf, logger }: UsageSweepParts,
): Promise<void> {
  const { tenantId, collectionId, collectionSlug } = rebuild;
  const ctx = await contextOf(tenantId, `sweep:${collectionId}`);
  if (!ctx) return forgetRebuild(sql, rebuild);
  // Beginning a second repair would make the first give up, and then neither might ever come through.
  if ((await coverageOf(ctx.db, collectionId))?.isRepairAlive) return;
  const { status, lastErrorCode } = await repairCollection(ctx, services, {
    id: collectionId,
    slug: collectionSlug,
  });
  logger.info(
    { tenant: tenantId, collection: collectionSlug, status, lastErrorCode },
    'media usage was built anew',
  );
  if (status === 'complete' || lastErrorCode === 'COLLECTION_GONE') await forgetRebuild(sql, rebuild);
}
