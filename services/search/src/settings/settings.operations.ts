import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { invalidInput, QuireError } from '@quire/errors';
import { SearchIndexMissing } from '@quire/search-engine';
import type { ContentCollection, SubscriptionOptions } from '../clients/index.js';
import {
  invalidateGenerations,
  selectCollection,
  selectEnabledCollections,
  selectGenerations,
  toSearchIndex,
  upsertSettings,
  type CollectionRow,
} from '../collections/index.js';
import { build, deleteRetired, desiredSpec, isSameSpec, startBuild } from '../indexing/index.js';
import type { SearchDeps } from '../search-deps.js';
import { enqueueReconciliation } from '../tasks/index.js';
import type { EnableRequest, EnableResponse, RebuildResponse, SearchStats } from './settings.schemas.js';

/** Less than the gateway's response timeout. The worker finishes longer builds. */
const timeBudgetMs = 50_000;

/** Calls of content for a subscription that concurrent requests change. */
const maxSubscriptionAttempts = 3;

/** Time of the request before the worker reconciles the collection. */
const gracePeriodSeconds = 30;

/**
 * Makes a collection searchable, or updates its search settings (document 1, Search; contract 22). Omitted settings
 * keep their values. Changed settings rebuild the index beside the live one.
 * @param options how long to wait for writers of the collection
 * @throws QuireError COLLECTION_NOT_FOUND, NO_SEARCHABLE_FIELDS, VALIDATION_ERROR for a weight of an unknown field,
 *   SERVICE_UNAVAILABLE: the worker completes the stored settings.
 */
export async function enableSearch(
  ctx: Context,
  deps: SearchDeps,
  { collection: slug, weights, tokenize }: Omit<EnableRequest, 'enabled'>,
  options?: SubscriptionOptions,
): Promise<EnableResponse> {
  const collection = await deps.content.collection(ctx, slug);
  if (collection.fields.length === 0) throw noSearchableFieldsError(slug);
  assertWeightsMatchFields(weights, collection);
  const { id: collectionId, hidden } = collection;
  const row = await ctx.db.transaction(async (tx) => {
    await enqueueReconciliation(tx, ctx.principal.tenant, collectionId, { afterSeconds: gracePeriodSeconds });
    await audit(ctx, tx, { action: 'search.enabled', target: { type: 'collection', id: slug } });
    return upsertSettings(tx, { collectionId, slug, hidden, enabled: true, tokenizer: tokenize, weights });
  });
  // The subscription precedes the first read, so that no change is missed.
  await syncSubscription(ctx, deps, row, options);
  if (!(await isUpToDate(ctx, row, collection))) await startBuild(ctx, deps, collectionId, collection);
  return { collection: slug, enabled: true, indexed: await buildInRequest(ctx, deps, collectionId) };
}

/**
 * Removes a collection from search at once and keeps its settings, updated by the given ones (document 1, Search).
 * @throws QuireError COLLECTION_NOT_FOUND, VALIDATION_ERROR for a weight of an unknown field, SERVICE_UNAVAILABLE.
 */
export async function disableSearch(
  ctx: Context,
  deps: SearchDeps,
  { collection: slug, weights, tokenize }: Omit<EnableRequest, 'enabled'>,
): Promise<EnableResponse> {
  const collection = await deps.content.collection(ctx, slug);
  assertWeightsMatchFields(weights, collection);
  const { id: collectionId, hidden } = collection;
  const row = await ctx.db.transaction(async (tx) => {
    await enqueueReconciliation(tx, ctx.principal.tenant, collectionId);
    await audit(ctx, tx, { action: 'search.disabled', target: { type: 'collection', id: slug } });
    return upsertSettings(tx, { collectionId, slug, hidden, enabled: false, tokenizer: tokenize, weights });
  });
  await syncSubscription(ctx, deps, row);
  // If the engine is down, the next reconciliation deletes its generations.
  await deleteRetired(ctx, deps, collectionId).catch(() => undefined);
  return { collection: slug, enabled: false };
}

/**
 * Rebuilds a collection's index with its stored settings beside the live one (document 1, Search). Concurrent requests
 * share one build.
 * @throws QuireError COLLECTION_NOT_FOUND, SEARCH_NOT_ENABLED, NO_SEARCHABLE_FIELDS, SERVICE_UNAVAILABLE: the worker
 *   continues the build.
 */
export async function rebuildSearchIndex(
  ctx: Context,
  deps: SearchDeps,
  slug: string,
): Promise<RebuildResponse> {
  const collection = await deps.content.collection(ctx, slug);
  const row = await selectCollection(ctx.db, collection.id);
  if (!row?.enabled) throw searchNotEnabledError(slug);
  if (collection.fields.length === 0) throw noSearchableFieldsError(slug);
  await audit(ctx, ctx.db, { action: 'search.rebuild-started', target: { type: 'collection', id: slug } });
  await startBuild(ctx, deps, row.collectionId, collection);
  return { collection: slug, indexed: await buildInRequest(ctx, deps, row.collectionId) };
}

/** @returns the number of indexed entries and the last rebuild of each searchable collection (contract 22). */
export async function getSearchStats(ctx: Context, deps: SearchDeps): Promise<SearchStats> {
  const stats: [string, SearchStats['collections'][string]][] = [];
  for (const { collectionId, slug, lastRebuiltAt } of await selectEnabledCollections(ctx.db)) {
    const indexed = await countPublished(ctx, deps, collectionId, 'live');
    stats.push([slug, { indexed, ...(lastRebuiltAt === null ? {} : { lastRebuilt: lastRebuiltAt }) }]);
  }
  return { collections: Object.fromEntries(stats) };
}

/**
 * Continues the build of a collection's index while the client waits, then deletes retired generations; if that fails,
 * the next reconciliation deletes them.
 * @returns the number of published entries in the live index, or so far in the one being built if time was up
 * @throws QuireError SERVICE_UNAVAILABLE: the worker continues the build
 */
async function buildInRequest(ctx: Context, deps: SearchDeps, collectionId: string): Promise<number> {
  const outcome = await build(ctx, deps, collectionId, { timeBudgetMs });
  await deleteRetired(ctx, deps, collectionId).catch(() => undefined);
  // Another request may start the next build, and complete it: its index has entries when it is live.
  return countPublished(ctx, deps, collectionId, outcome === 'incomplete' ? 'building' : 'live');
}

/**
 * @param state the generation to count: the live one also replaces a `building` one that is live by now
 * @returns the number of published entries in the generation; 0 when the collection has none, or its index is lost
 */
async function countPublished(
  ctx: Context,
  deps: SearchDeps,
  collectionId: string,
  state: 'live' | 'building',
): Promise<number> {
  for (let missing: number | undefined; ;) {
    const generations = await selectGenerations(ctx.db, collectionId);
    const counted =
      generations.find((generation) => generation.state === state) ??
      generations.find((generation) => generation.state === 'live');
    if (!counted || counted.generation === missing) return 0;
    try {
      return await deps.indexesOf(ctx).count(toSearchIndex(collectionId, counted), 'published');
    } catch (error) {
      if (!(error instanceof SearchIndexMissing)) throw error;
      // A generation that was replaced since is not the one that is live now; a lost one still is.
      missing = counted.generation;
    }
  }
}

/**
 * Subscribes to a collection's changes exactly while it is searchable. Two concurrent requests may reach content in
 * another order than the database, so the stored setting is read again afterwards.
 * @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE while writers of the collection keep their locks.
 */
async function syncSubscription(
  ctx: Context,
  { content }: SearchDeps,
  { collectionId, slug, enabled }: Pick<CollectionRow, 'collectionId' | 'slug' | 'enabled'>,
  options?: SubscriptionOptions,
): Promise<void> {
  let isSubscribed = enabled;
  for (let attempt = 1; attempt <= maxSubscriptionAttempts; attempt += 1) {
    await content.setSubscription(ctx, slug, isSubscribed, options);
    const current = await selectCollection(ctx.db, collectionId);
    if (!current || current.enabled === isSubscribed) return;
    isSubscribed = current.enabled;
    // Changes without a subscription in between are unknown.
    await ctx.db.transaction(async (tx) => {
      await invalidateGenerations(tx, collectionId);
      await enqueueReconciliation(tx, ctx.principal.tenant, collectionId);
    });
  }
}

/** @throws QuireError VALIDATION_ERROR that names each field */
function assertWeightsMatchFields(
  weights: Record<string, number> | undefined,
  { slug, fields }: Pick<ContentCollection, 'slug' | 'fields'>,
): void {
  const unknown = Object.keys(weights ?? {}).filter((field) => !fields.includes(field));
  if (unknown.length === 0) return;
  const message = `must be a searchable text field of '${slug}'`;
  throw invalidInput(unknown.map((field) => ({ path: `weights.${field}`, message })));
}

/** Whether the newest generation is live and built with these settings. */
async function isUpToDate(ctx: Context, row: CollectionRow, collection: ContentCollection): Promise<boolean> {
  const generations = await selectGenerations(ctx.db, row.collectionId);
  const newest = generations.findLast(({ state }) => state !== 'retired');
  return newest?.state === 'live' && !row.isLost && isSameSpec(newest, desiredSpec(row, collection));
}

function noSearchableFieldsError(slug: string): QuireError {
  return new QuireError('NO_SEARCHABLE_FIELDS', `Collection '${slug}' has no searchable text field`);
}

function searchNotEnabledError(slug: string): QuireError {
  return new QuireError('SEARCH_NOT_ENABLED', `Search is not enabled for '${slug}'`);
}
