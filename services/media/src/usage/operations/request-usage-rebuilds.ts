import type { Context } from '@quire/context';
import { contentApi } from '@quire/internal-api';
import { selectActivation } from '../activation/activation.repository.js';
import { selectCoveredCollections, trackUnsubscribed } from '../usage-coverage.repository.js';
import { enqueueDeletion } from '../usage-deletions.repository.js';
import type { UsageDeps } from '../usage-deps.js';
import { usageRebuilds } from '../usage-rebuilds.repository.js';

/**
 * Requests what makes the usage index cover the present collections: if media usage is activated, the runners subscribe
 * to each collection and build its index. The index of other collections is deleted. Idempotent.
 * @throws QuireError SERVICE_UNAVAILABLE when content is unavailable
 */
export async function requestUsageRebuilds(ctx: Context, { content }: UsageDeps): Promise<void> {
  const { tenant } = ctx.principal;
  const isTracked = (await selectActivation(ctx.db)).state !== 'expanded';
  if (isTracked) await content.subscribe(ctx, contentApi.newCollections);
  const collections = await content.collections(ctx);
  const ids = new Set(collections.map(({ id }) => id));
  await ctx.db.transaction(async (tx) => {
    for (const covered of await selectCoveredCollections(tx))
      if (!ids.has(covered.id)) await enqueueDeletion(tx, tenant, covered);
    if (!isTracked) return;
    await trackUnsubscribed(tx, collections);
    await usageRebuilds.enqueue(
      tx,
      collections.map(({ id, slug }) => ({
        tenantId: tenant.id,
        collectionId: id,
        collectionSlug: slug,
      })),
    );
  });
}
