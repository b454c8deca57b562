import type { Context } from '@quire/context';
import type { contentApi } from '@quire/internal-api';
import { deleteCoverage, cancelRepair } from '../usage-coverage.repository.js';
import {
  enqueueDeletion,
  updatePhase,
  usageDeletions,
  type LeasedDeletion,
} from '../usage-deletions.repository.js';
import { deleteEntryBatch } from '../usage-index.repository.js';
import { usageRebuilds } from '../usage-rebuilds.repository.js';
import { deleteWorkBatch } from '../usage-work.repository.js';
import type { DeletionPhase } from '../usage.schemas.js';
import type { UsageDeps } from '../usage-deps.js';

/** Maximum number of rows that one step deletes. */
const rowsPerStep = 1_000;

/** A step of a phase. @returns whether the phase has another */
type Step = (ctx: Context, collectionId: string) => Promise<boolean>;

/**
 * Steps of the phases. Work is deleted before sources: a worker that has read an entry finds no work to complete, and
 * writes nothing. Content deletes the table and its row in the registry before it sends the message.
 */
const steps: readonly (readonly [DeletionPhase, Step])[] = [
  ['fence', async ({ db }, collectionId) => (await cancelRepair(db, collectionId), false)],
  [
    'work',
    async ({ db, principal }, collectionId) => {
      await usageRebuilds.cancel(db, { tenantId: principal.tenant.id, collectionId });
      return deleteWorkBatch(db, principal.tenant, collectionId, rowsPerStep);
    },
  ],
  ['sources', ({ db }, collectionId) => deleteEntryBatch(db, collectionId, rowsPerStep)],
  ['status', async ({ db }, collectionId) => (await deleteCoverage(db, collectionId), false)],
];

/** Deletes the usage of media in a deleted collection. The runner continues an interrupted deletion. */
export async function deleteCollectionUsage(
  ctx: Context,
  deps: UsageDeps,
  collection: contentApi.RegisteredCollection,
): Promise<'deleted'> {
  const { tenant } = ctx.principal;
  await enqueueDeletion(ctx.db, tenant, collection);
  const leased = await usageDeletions.claimByKey(ctx.db, {
    tenantId: tenant.id,
    collectionId: collection.id,
  });
  if (leased) await deleteLeasedCollectionUsage(ctx, deps, leased);
  return 'deleted';
}

/**
 * Runs the phases of a leased deletion, from the recorded one on. A collection that an import has created again with
 * its id keeps its usage.
 */
export async function deleteLeasedCollectionUsage(
  ctx: Context,
  { content, logger }: UsageDeps,
  leased: LeasedDeletion,
): Promise<void> {
  try {
    const collections = await content.collections(ctx);
    if (collections.some(({ id }) => id === leased.collectionId))
      return void (await usageDeletions.complete(ctx.db, leased));
    const from = steps.findIndex(([phase]) => phase === leased.phase);
    // Repeating a phase is harmless: each step deletes the existing rows.
    for (const [phase, step] of steps.slice(Math.max(0, from))) {
      do {
        if (!(await updatePhase(ctx.db, leased, phase))) return;
      } while (await step(ctx, leased.collectionId));
    }
    if (await updatePhase(ctx.db, leased, 'finalize')) await usageDeletions.complete(ctx.db, leased);
  } catch (error) {
    const { tenantId: tenant, collectionId } = leased;
    logger.warn({ tenant, collectionId, err: error }, 'media usage deletion rescheduled');
    await usageDeletions.reschedule(ctx.db, leased, 'DELETION_FAILED');
  }
}
