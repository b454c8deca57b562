import type { Context } from '@quire/context';
import type { RequestOf, ResponseOf, siteRecords } from '@quire/internal-api';
import {
  defaultTokenizer,
  deleteAllCollections,
  disableAllCollections,
  selectEnabledCollections,
} from '../../collections/index.js';
import type { SearchDeps } from '../../search-deps.js';
import { deleteAllTasks, enqueueReconciliations } from '../../tasks/index.js';
import { writeSearchSettings } from './write-search-settings.js';

type Operations = typeof siteRecords.search;

/**
 * Search settings as they are when a collection is created are scaffold; others were chosen by a user. Whether the
 * collection itself is one of the scaffold is for content to say.
 */
export async function inspectSiteRecords({ db }: Context): Promise<ResponseOf<Operations['inspect']>> {
  const rows = await db.query<{ key: string; isInitial: boolean }>(
    `SELECT collection_id AS key, enabled AND tokenizer = $1 AND weights::jsonb = '{}' AS "isInitial"
     FROM search_collections ORDER BY collection_id`,
    [defaultTokenizer],
  );
  const kind = 'search_collections' as const;
  const changed = rows.filter(({ isInitial }) => !isInitial).length;
  return {
    blockers: changed > 0 ? [{ kind, count: changed }] : [],
    scaffold: rows.filter(({ isInitial }) => isInitial).map(({ key }) => ({ kind, key })),
  };
}

/**
 * Deletes all search settings, the indexes and the pending work of the site. Idempotent.
 * @throws SearchEngineUnavailable
 */
export async function clearSiteRecords(
  ctx: Context,
  deps: SearchDeps,
): Promise<ResponseOf<Operations['clear']>> {
  // A build that runs ends, and starts no index that would stay behind.
  await disableAllCollections(ctx.db);
  await deps.indexesOf(ctx).dropAll();
  await ctx.db.transaction(async (tx) => {
    await deleteAllCollections(tx);
    await deleteAllTasks(tx, ctx.principal.tenant);
  });
  return { isComplete: true };
}

/** Writes search settings. No kind of this service refers to records of its own. @throws as `writeSearchSettings` */
export async function writeSiteRecords(
  ctx: Context,
  deps: SearchDeps,
  { kind, records, pass }: Omit<RequestOf<Operations['write']>, 'fencingToken'>,
): Promise<ResponseOf<Operations['write']>> {
  if (kind !== 'search_collections') throw new Error(`The search service has no records of the kind ${kind}`);
  if (pass === 'records') await writeSearchSettings(ctx, deps, records);
  return {};
}

/**
 * Requests the index of each searchable collection: the task runner subscribes to the changes of its entries and builds
 * it. Idempotent.
 */
export async function finishSiteRecords(ctx: Context): Promise<ResponseOf<Operations['finish']>> {
  const collections = await selectEnabledCollections(ctx.db);
  await enqueueReconciliations(
    ctx.db,
    ctx.principal.tenant,
    collections.map(({ collectionId }) => collectionId),
  );
  return {};
}
