import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { notFound } from '@quire/errors';
import { mediaItemExists, selectUsage, usageOrder } from '../usage-index.repository.js';
import type { UsageDeps } from '../usage-deps.js';
import { loadUsageContext, type UsageContext } from '../usage-summaries.js';
import type { UsageEntry } from '../usage.schemas.js';

/** A page of the entries that use an item, and what is said of its usage beside them. */
export interface UsageDetails {
  items: UsageEntry[];
  nextCursor?: string;
  coverage: UsageContext['coverage'];
  siteSettings: { setting: string }[];
}

/**
 * Where an item is used: one page of entries, each with all its places, trashed ones included (contract 11).
 * @throws QuireError NOT_FOUND, INVALID_CURSOR, SERVICE_UNAVAILABLE when content cannot be asked.
 */
export async function getMediaUsage(
  ctx: Context,
  deps: UsageDeps,
  id: string,
  query: { cursor?: string | undefined; limit: number },
): Promise<UsageDetails> {
  const { tenant } = ctx.principal;
  const scope = cursorScope({ operation: 'getMediaUsage', tenant: tenant.id, id });
  const page = new KeysetPage(usageOrder, scope, query);
  if (!(await mediaItemExists(ctx.db, id))) throw notFound('media item');
  const [rows, { coverage, settingsOf }] = await Promise.all([
    selectUsage(ctx.db, tenant, id, page),
    loadUsageContext(ctx, deps),
  ]);
  const { items, ...next } = page.cut(rows, ({ collectionId, contentId }) => ({
    value: collectionId,
    id: contentId,
  }));
  return {
    items: items.map(({ collectionId: _, ...entry }) => entry),
    ...next,
    coverage,
    siteSettings: settingsOf(id),
  };
}
