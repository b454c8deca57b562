import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { contentApi } from '@quire/internal-api';
import { assertNotActivating } from '../activation/activation.repository.js';
import type { Repair, RepairedCollection, RepairScope, RepairStatus } from '../usage.schemas.js';
import type { UsageDeps } from '../usage-deps.js';
import { repairCollection } from './repair-collection.js';

/**
 * Rebuilds the index of one collection, or of all, one after the other (document 1, Media 8; contract 13).
 * @returns the result of each collection, also of failed ones
 * @throws QuireError COLLECTION_NOT_FOUND, MEDIA_USAGE_ACTIVATION_IN_PROGRESS, SERVICE_UNAVAILABLE when the collections
 *   cannot be read from content.
 */
export async function repairMediaUsage(ctx: Context, deps: UsageDeps, scope: RepairScope): Promise<Repair> {
  await assertNotActivating(ctx.db);
  const registered = await deps.content.collections(ctx);
  const chosen = inScope(registered, scope);
  await audit(ctx, ctx.db, {
    action: 'media-usage.repair-started',
    target: scope.scope === 'all' ? null : { type: 'collection', id: scope.collection },
  });
  const collections: RepairedCollection[] = [];
  for (const collection of chosen) collections.push(await repairCollection(ctx, deps, collection));
  const sum = (count: CountName) => collections.reduce((all, each) => all + each[count], 0);
  return {
    status: statusOfAll(collections.map(({ status }) => status)),
    indexedSourceCount: sum('indexedSourceCount'),
    failedSourceCount: sum('failedSourceCount'),
    skippedSourceCount: sum('skippedSourceCount'),
    deletedSourceCount: sum('deletedSourceCount'),
    collections,
  };
}

/**
 * `repairMediaUsage`, with a failed repair in place of the error for an unknown collection (contract 7 of the MCP
 * tools).
 * @throws as `repairMediaUsage` otherwise
 */
export async function repairAndReport(ctx: Context, deps: UsageDeps, scope: RepairScope): Promise<Repair> {
  try {
    return await repairMediaUsage(ctx, deps, scope);
  } catch (error) {
    if (scope.scope === 'all' || !(error instanceof QuireError) || error.code !== 'COLLECTION_NOT_FOUND')
      throw error;
    const failed = {
      status: 'failed',
      indexedSourceCount: 0,
      failedSourceCount: 0,
      skippedSourceCount: 0,
      deletedSourceCount: 0,
    } as const;
    const now = new Date().toISOString();
    const { collection } = scope;
    const times = { startedAt: now, completedAt: now };
    return { ...failed, collections: [{ collection, ...failed, lastErrorCode: error.code, ...times }] };
  }
}

type CountName = 'indexedSourceCount' | 'failedSourceCount' | 'skippedSourceCount' | 'deletedSourceCount';

function inScope(
  registered: readonly contentApi.RegisteredCollection[],
  scope: RepairScope,
): contentApi.RegisteredCollection[] {
  if (scope.scope === 'all') return [...registered];
  const found = registered.filter(({ slug }) => slug === scope.collection);
  if (found.length > 0) return found;
  throw new QuireError('COLLECTION_NOT_FOUND', `There is no collection '${scope.collection}'`);
}

/** The worst status of the collections. `failed` becomes `partial` if some of them succeeded. */
function statusOfAll(statuses: readonly RepairStatus[]): RepairStatus {
  if (statuses.every((status) => status === 'complete')) return 'complete';
  if (statuses.every((status) => status === 'failed')) return 'failed';
  return statuses.every((status) => status === 'complete' || status === 'stale') ? 'stale' : 'partial';
}
