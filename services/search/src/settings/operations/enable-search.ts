import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { invalidInput } from '@quire/errors';
import { beginBuild, isSameSpec, wantedSpec } from '../../building/index.js';
import { generationsOf, writeSettings, type CollectionRow } from '../../collections/index.js';
import type { ContentCollection } from '../../content/index.js';
import type { SearchServices } from '../../search-services.js';
import { addTask } from '../../tasks/index.js';
import { followAsSet } from '../follow-as-set.js';
import { buildNow } from '../build-now.js';
import { noSearchableFields } from '../settings-errors.js';
import type { EnableAnswer, EnableRequest } from '../settings.schemas.js';

/** How long this request has before the sweep looks after the collection. */
const headStartSeconds = 30;

/**
 * Makes a collection searchable, or changes how it is searched (document 1, Search; contract 22): settings that are not sent stay.
 * Other settings than before build the index anew beside the one that is searched meanwhile; the same ones only answer.
 * @throws QuireError COLLECTION_NOT_FOUND, NO_SEARCHABLE_FIELDS, VALIDATION_ERROR for a weight of a field that cannot be found,
 *   SERVICE_UNAVAILABLE: what was stored by then is brought to its end by the worker.
 */
export async function enableSearch(
  ctx: Context,
  services: SearchServices,
  { collection: slug, weights, tokenize }: Omit<EnableRequest, 'enabled'>,
): Promise<EnableAnswer> {
  const collection = await services.content.collection(ctx, slug);
  if (collection.fields.length === 0) throw noSearchableFields(slug);
  requireWeightsOfFields(weights, collection);
  const { id: collectionId, hidden } = collection;
  const row = await ctx.db.transaction(async (tx) => {
    const task = { tenantId: ctx.principal.tenant.id, collectionId, task: 'tend', entryId: '' } as const;
    await addTask(tx, task, { afterSeconds: headStartSeconds });
    await audit(ctx, tx, { action: 'search.enabled', target: { type: 'collection', id: slug } });
    return writeSettings(tx, { collectionId, slug, hidden, enabled: true, tokenizer: tokenize, weights });
  });
  // Content tells of changes before the first entry is read, so that none is missed.
  await followAsSet(ctx, services, row);
  if (!(await isAsWanted(ctx, row, collection))) await beginBuild(ctx, services, collectionId, collection);
  return { collection: slug, enabled: true, indexed: await buildNow(ctx, services, collectionId) };
}

/** @throws QuireError VALIDATION_ERROR naming each field */
export function requireWeightsOfFields(
  weights: Record<string, number> | undefined,
  { slug, fields }: Pick<ContentCollection, 'slug' | 'fields'>,
): void {
  const strange = Object.keys(weights ?? {}).filter((field) => !fields.includes(field));
  if (strange.length === 0) return;
  const message = `is no searchable field of '${slug}' that has text`;
  throw invalidInput(strange.map((field) => ({ path: `weights.${field}`, message })));
}

/** Whether what is searched, with nothing newer being built, is made by these settings. */
async function isAsWanted(ctx: Context, row: CollectionRow, collection: ContentCollection): Promise<boolean> {
  const generations = await generationsOf(ctx.db, row.collectionId);
  const newest = generations.findLast(({ state }) => state !== 'retired');
  return newest?.state === 'live' && !row.isLost && isSameSpec(newest, wantedSpec(row, collection));
}
