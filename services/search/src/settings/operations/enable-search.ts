import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { invalidInput } from '@quire/errors';
import { startBuild, isSameSpec, desiredSpec } from '../../indexing/index.js';
import { selectGenerations, upsertSettings, type CollectionRow } from '../../collections/index.js';
import type { ContentCollection } from '../../clients/index.js';
import type { SearchDeps } from '../../search-deps.js';
import { enqueueTask } from '../../tasks/index.js';
import { syncSubscription } from '../sync-subscription.js';
import { buildInRequest } from '../build-in-request.js';
import { noSearchableFieldsError } from '../settings-errors.js';
import type { EnableResponse, EnableRequest } from '../settings.schemas.js';

/** How long this request has before the sweep looks after the collection. */
const gracePeriodSeconds = 30;

/**
 * Makes a collection searchable, or changes how it is searched (document 1, Search; contract 22): settings that are not
 * sent stay. Other settings than before build the index anew beside the one that is searched meanwhile; the same ones
 * only answer.
 * @throws QuireError COLLECTION_NOT_FOUND, NO_SEARCHABLE_FIELDS, VALIDATION_ERROR for a weight of a field that cannot
 *   be found, SERVICE_UNAVAILABLE: what was stored by then is brought to its end by the worker.
 */
export async function enableSearch(
  ctx: Context,
  deps: SearchDeps,
  { collection: slug, weights, tokenize }: Omit<EnableRequest, 'enabled'>,
): Promise<EnableResponse> {
  const collection = await deps.content.collection(ctx, slug);
  if (collection.fields.length === 0) throw noSearchableFieldsError(slug);
  assertWeightsMatchFields(weights, collection);
  const { id: collectionId, hidden } = collection;
  const row = await ctx.db.transaction(async (tx) => {
    const task = { tenantId: ctx.principal.tenant.id, collectionId, task: 'tend', entryId: '' } as const;
    await enqueueTask(tx, task, { afterSeconds: gracePeriodSeconds });
    await audit(ctx, tx, { action: 'search.enabled', target: { type: 'collection', id: slug } });
    return upsertSettings(tx, { collectionId, slug, hidden, enabled: true, tokenizer: tokenize, weights });
  });
  // Content tells of changes before the first entry is read, so that none is missed.
  await syncSubscription(ctx, deps, row);
  if (!(await isUpToDate(ctx, row, collection))) await startBuild(ctx, deps, collectionId, collection);
  return { collection: slug, enabled: true, indexed: await buildInRequest(ctx, deps, collectionId) };
}

/** @throws QuireError VALIDATION_ERROR naming each field */
export function assertWeightsMatchFields(
  weights: Record<string, number> | undefined,
  { slug, fields }: Pick<ContentCollection, 'slug' | 'fields'>,
): void {
  const strange = Object.keys(weights ?? {}).filter((field) => !fields.includes(field));
  if (strange.length === 0) return;
  const message = `must be a searchable text field of '${slug}'`;
  throw invalidInput(strange.map((field) => ({ path: `weights.${field}`, message })));
}

/** Whether what is searched, with nothing newer being built, is made by these settings. */
async function isUpToDate(ctx: Context, row: CollectionRow, collection: ContentCollection): Promise<boolean> {
  const generations = await selectGenerations(ctx.db, row.collectionId);
  const newest = generations.findLast(({ state }) => state !== 'retired');
  return newest?.state === 'live' && !row.isLost && isSameSpec(newest, desiredSpec(row, collection));
}
