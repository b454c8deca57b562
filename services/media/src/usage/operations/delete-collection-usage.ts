import type { Context } from '@quire/context';
import type { contentApi } from '@quire/internal-api';
import { deleteCoverage, cancelRepair } from '../usage-coverage.repository.js';
import {
  claimDeletion,
  enqueueDeletion,
  updatePhase,
  deleteDeletion,
  rescheduleDeletion,
  type LeasedDeletion,
} from '../usage-deletions.repository.js';
import { deleteEntryBatch } from '../usage-index.repository.js';
import { cancelRebuild } from '../usage-rebuilds.repository.js';
import { deleteWorkBatch } from '../usage-work.repository.js';
import type { DeletionPhase } from '../usage.schemas.js';
import type { UsageDeps } from '../usage-deps.js';

/** Rows that one step removes. */
const rowsPerStep = 1_000;

/** A step of a phase. @returns whether the phase has another */
type Step = (ctx: Context, collectionId: string) => Promise<boolean>;

/**
 * What each phase does. Work goes before sources: whoever had read an entry while it was there finds no work to finish,
 * and writes nothing. The table and its line in the registry are gone before anybody hears of it.
 */
const steps: readonly (readonly [DeletionPhase, Step])[] = [
  ['fence', async ({ db }, collectionId) => (await cancelRepair(db, collectionId), false)],
  [
    'work',
    async ({ db, principal }, collectionId) => {
      await cancelRebuild(db, principal.tenant, collectionId);
      return deleteWorkBatch(db, principal.tenant, collectionId, rowsPerStep);
    },
  ],
  ['sources', ({ db }, collectionId) => deleteEntryBatch(db, collectionId, rowsPerStep)],
  ['status', async ({ db }, collectionId) => (await deleteCoverage(db, collectionId), false)],
];

/** Forgets the usage of media in a collection that is gone; what breaks off is gone on with by a sweep. */
export async function deleteCollectionUsage(
  ctx: Context,
  deps: UsageDeps,
  collection: contentApi.RegisteredCollection,
): Promise<'deleted'> {
  await enqueueDeletion(ctx.db, ctx.principal.tenant, collection);
  const leased = await claimDeletion(ctx.db, ctx.principal.tenant, collection.id);
  if (leased) await deleteLeasedCollectionUsage(ctx, deps, leased);
  return 'deleted';
}

/** Goes through the phases of a deletion that this process has taken on, from where it was. */
export async function deleteLeasedCollectionUsage(
  ctx: Context,
  { logger }: UsageDeps,
  leased: LeasedDeletion,
): Promise<void> {
  try {
    const from = steps.findIndex(([phase]) => phase === leased.phase);
    // Beginning anew is harmless: each step removes what is there.
    for (const [phase, step] of steps.slice(Math.max(0, from))) {
      do {
        if (!(await updatePhase(ctx.db, leased, phase))) return;
      } while (await step(ctx, leased.collectionId));
    }
    if (await updatePhase(ctx.db, leased, 'finalize')) await deleteDeletion(ctx.db, leased);
  } catch (error) {
    const { tenantId: tenant, collectionId } = leased;
    logger.warn({ tenant, collectionId, err: error }, 'media usage deletion rescheduled');
    await rescheduleDeletion(ctx.db, leased, 'DELETION_FAILED');
  }
}
