import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { notFound } from '@quire/errors';
import { isRetryable, workChangedError } from './retry.policy.js';
import {
  deletionOrder,
  retryDeletionNow,
  selectDeletion,
  selectDeletions,
} from './usage-deletions.repository.js';
import type { UsageDeps } from './usage-deps.js';
import { mediaItemExists, selectUsage, usageOrder } from './usage-index.repository.js';
import { loadUsageContext, type UsageContext } from './usage-summaries.js';
import { retryWorkNow, selectWork, selectWorkItem, workOrder } from './usage-work.repository.js';
import type { DeletionItem, DeletionsQuery, UsageEntry, WorkItem, WorkQuery } from './usage.schemas.js';

/** A page of the entries that use an item, with the coverage of the index and the site settings that use it. */
export interface UsageDetails {
  items: UsageEntry[];
  nextCursor?: string;
  coverage: UsageContext['coverage'];
  siteSettings: { setting: string }[];
}

/**
 * @returns one page of the entries that use an item, each with all occurrences, trashed entries included (contract 11).
 * @throws QuireError NOT_FOUND, INVALID_CURSOR, SERVICE_UNAVAILABLE when content is unavailable.
 */
export async function getMediaUsage(
  ctx: Context,
  deps: UsageDeps,
  { id, ...query }: { id: string; cursor?: string | undefined; limit: number },
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

/**
 * @returns one page of a collection's entries whose indexing is pending or has failed (document 1, Media 10).
 * @throws QuireError INVALID_CURSOR.
 */
export async function listMediaUsageWork(
  ctx: Context,
  { cursor, limit, ...filter }: WorkQuery,
): Promise<{ items: WorkItem[]; nextCursor?: string }> {
  const { tenant } = ctx.principal;
  const scope = cursorScope({ operation: 'listMediaUsageWork', tenant: tenant.id, ...filter });
  const page = new KeysetPage(workOrder, scope, { cursor, limit });
  const rows = await selectWork(ctx.db, tenant, filter, page);
  return page.cut(rows, ({ contentId, collectionId }) => ({ value: contentId, id: collectionId }));
}

/**
 * Makes the indexing of an entry due now; a second call changes nothing (document 1, Media 10).
 * @throws QuireError NOT_FOUND, WORK_LEASE_ACTIVE, WORK_CHANGED.
 */
export async function retryMediaUsageWork(
  ctx: Context,
  address: { collectionId: string; contentId: string },
): Promise<{ changed: boolean; item: WorkItem }> {
  const { tenant } = ctx.principal;
  const work = await selectWorkItem(ctx.db, tenant, address);
  if (!work) throw notFound('work item');
  if (!isRetryable(work)) return { changed: false, item: work.item };
  const item = await retryWorkNow(ctx.db, tenant, work);
  if (!item) throw workChangedError();
  return { changed: true, item };
}

/**
 * @returns one page of the deleted collections whose usage is not deleted yet, by state (contract 13).
 * @throws QuireError INVALID_CURSOR.
 */
export async function listMediaUsageCollectionDeletions(
  ctx: Context,
  { cursor, limit, state }: DeletionsQuery,
): Promise<{ items: DeletionItem[]; nextCursor?: string }> {
  const { tenant } = ctx.principal;
  const operation = 'listMediaUsageCollectionDeletions';
  const scope = cursorScope({ operation, tenant: tenant.id, state });
  const page = new KeysetPage(deletionOrder, scope, { cursor, limit });
  const rows = await selectDeletions(ctx.db, tenant, state, page);
  return page.cut(rows, ({ collectionId }) => ({ value: collectionId, id: collectionId }));
}

/**
 * Makes the deletion of a deleted collection's usage due now; a second call changes nothing (contract 13).
 * @throws QuireError NOT_FOUND, WORK_LEASE_ACTIVE, WORK_CHANGED.
 */
export async function retryMediaUsageCollectionDeletion(
  ctx: Context,
  collectionId: string,
): Promise<{ changed: boolean; item: DeletionItem }> {
  const { tenant } = ctx.principal;
  const deletion = await selectDeletion(ctx.db, tenant, collectionId);
  if (!deletion) throw notFound('collection deletion');
  if (!isRetryable(deletion)) return { changed: false, item: deletion.item };
  const item = await retryDeletionNow(ctx.db, tenant, deletion);
  if (!item) throw workChangedError();
  return { changed: true, item };
}
