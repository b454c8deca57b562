import type { Context } from '@quire/context';
import type { RegisteredCollection } from '../referring-content.js';
import { removeCoverage, stopRepair } from '../usage-coverage.repository.js';
import {
  claimDeletion,
  enlistDeletion,
  enterPhase,
  forgetDeletion,
  putOffDeletion,
  type LeasedDeletion,
} from '../usage-deletions.repository.js';
import { removeSomeEntries } from '../usage-index.repository.js';
import { dropRebuild } from '../usage-rebuilds.repository.js';
import { removeSomeWork } from '../usage-work.repository.js';
import type { DeletionPhase } from '../usage.schemas.js';
import type { UsageServices } from '../usage-services.js';

/** Rows that one step removes. */
const rowsPerStep = 1_000;

/** A step of a phase. @returns whether the phase has another */
type Step = (ctx: Context, collectionId: string) => Promise<boolean>;

/**
 * What each phase does. Work goes before sources: whoever had read an entry while it was there finds no work to finish, and writes
 * nothing. The table and its line in the registry are gone before anybody hears of it.
 */
const steps: readonly (readonly [DeletionPhase, Step])[] = [
  ['fence', async ({ db }, collectionId) => (await stopRepair(db, collectionId), false)],
  [
    'work',
    async ({ db, principal }, collectionId) => {
      await dropRebuild(db, principal.tenant, collectionId);
      return removeSomeWork(db, principal.tenant, collectionId, rowsPerStep);
    },
  ],
  ['sources', ({ db }, collectionId) => removeSomeEntries(db, collectionId, rowsPerStep)],
  ['status', async ({ db }, collectionId) => (await removeCoverage(db, collectionId), false)],
];

/** Forgets the usage of media in a collection that is gone; what breaks off is gone on with by a sweep. */
export async function forgetCollection(
  ctx: Context,
  services: UsageServices,
  collection: RegisteredCollection,
): Promise<'deleted'> {
  await enlistDeletion(ctx.db, ctx.principal.tenant, collection);
  const leased = await claimDeletion(ctx.db, ctx.principal.tenant, collection.id);
  if (leased) await forgetLeasedCollection(ctx, services, leased);
  return 'deleted';
}

/** Goes through the phases of a deletion that this process has taken on, from where it was. */
export async function forgetLeasedCollection(
  ctx: Context,
  { logger }: UsageServices,
  leased: LeasedDeletion,
): Promise<void> {
  try {
    const from = steps.findIndex(([phase]) => phase === leased.phase);
    // Beginning anew is harmless: each step removes what is there.
    for (const [phase, step] of steps.slice(Math.max(0, from))) {
      do {
        if (!(await enterPhase(ctx.db, leased, phase))) return;
      } while (await step(ctx, leased.collectionId));
    }
    if (await enterPhase(ctx.db, leased, 'finalize')) await forgetDeletion(ctx.db, leased);
  } catch (error) {
    const { tenantId: tenant, collectionId } = leased;
    logger.warn(
      { tenant, collectionId, err: error },
      'the media usage of a deleted collection is forgotten later',
    );
    await putOffDeletion(ctx.db, leased, 'DELETION_FAILED');
  }
}
