import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import {
  leaseActivation,
  releaseActivation,
  selectActivation,
  startActivation,
  type LeasedActivation,
} from './activation.repository.js';
import type { Activation, AdvancedActivation, AdvancedProgress, Progress } from './activation.schemas.js';
import type { ActivationService } from './activation-service.js';
import { advanceBackfill, getBackfillProgress } from './backfill.js';

/** @returns whether changes of media references are tracked, and the progress of the activation. */
export async function getMediaUsageActivation(ctx: Context): Promise<Activation> {
  return selectActivation(ctx.db);
}

/**
 * @returns how much of the site is indexed.
 * @throws QuireError MEDIA_USAGE_ACTIVATION_CONFLICT before activation was started, MEDIA_USAGE_ACTIVATION_READ_ERROR.
 */
export async function getMediaUsageProgress(ctx: Context, { usage }: ActivationService): Promise<Progress> {
  assertStarted(await selectActivation(ctx.db));
  return getBackfillProgress(ctx, usage).catch((cause: unknown) => {
    if (cause instanceof QuireError) throw cause;
    throw new QuireError(
      'MEDIA_USAGE_ACTIVATION_READ_ERROR',
      'Media usage progress could not be read. Retry later.',
      {
        cause,
      },
    );
  });
}

/**
 * Starts the activation, or takes its next step: one collection at most (document 1, Media rule 9). Writes of content
 * and schema are blocked from the first step to the last. The next request that confirms drained writers retries a
 * failed step.
 * @throws QuireError MEDIA_USAGE_ACTIVATION_BUSY, MEDIA_USAGE_ACTIVATION_CONFLICT,
 * MEDIA_USAGE_ACTIVATION_VERSION_MISMATCH, MEDIA_USAGE_ACTIVATION_ADVANCE_ERROR when the step failed.
 */
export async function advanceMediaUsageActivation(
  ctx: Context,
  deps: ActivationService,
): Promise<AdvancedActivation> {
  const activation = await selectActivation(ctx.db);
  if (activation.state === 'active') return { outcome: 'active', processedCollections: 0, activation };
  const leased = await leaseActivation(ctx.db);
  if (leased.activation.state === 'expanded') {
    await ctx.db.transaction(async (tx) => {
      await startActivation(tx, leased.token);
      await audit(ctx, tx, { action: 'media-usage.activation-started', target: null });
    });
  }
  return takeStep(ctx, deps, leased);
}

/**
 * Takes the next step of a leased activation and releases the lease.
 * @throws as `advanceMediaUsageActivation`
 */
async function takeStep(
  ctx: Context,
  deps: ActivationService,
  { activation, token }: LeasedActivation,
): Promise<AdvancedActivation> {
  try {
    const step = await prepareNextCollection(ctx, deps, activation);
    const after = await ctx.db.transaction(async (tx) => {
      const released = await releaseActivation(tx, token, step.change);
      if (step.outcome === 'active') await audit(ctx, tx, { action: 'media-usage.activated', target: null });
      return released;
    });
    return { outcome: step.outcome, processedCollections: step.processed, activation: after };
  } catch (cause) {
    const lastErrorCode = 'MEDIA_USAGE_ACTIVATION_FAILED';
    await releaseActivation(ctx.db, token, { lastErrorCode });
    throw new QuireError(
      'MEDIA_USAGE_ACTIVATION_ADVANCE_ERROR',
      'Media usage activation failed. Keep writers stopped, read its state and send one confirmed retry.',
      { cause },
    );
  }
}

interface Step {
  outcome: AdvancedActivation['outcome'];
  processed: 0 | 1;
  change: { state?: Activation['state']; collectionCursor?: string };
}

async function prepareNextCollection(
  ctx: Context,
  deps: ActivationService,
  { collectionCursor }: Activation,
): Promise<Step> {
  await deps.fence(ctx, true);
  // Before the list is read: a collection is either in the list, or created after the subscription to new ones.
  await deps.trackNewCollections(ctx);
  const [next, ...more] = await deps.collectionsAfter(ctx, collectionCursor);
  if (next) await deps.track(ctx, next);
  const change = next ? { collectionCursor: next.slug } : {};
  const processed = next ? 1 : 0;
  if (more.length > 0) return { outcome: 'activating', processed, change };
  // Before the state changes: if the process dies in between, the next request completes the activation.
  await deps.fence(ctx, false);
  return { outcome: 'active', processed, change: { ...change, state: 'active' } };
}

/**
 * Takes the next step of a started activation, and once it is active, of the indexing of earlier content.
 * @returns the time of the next request: now, later, or none (null).
 * @throws QuireError MEDIA_USAGE_ACTIVATION_CONFLICT before activation was started, MEDIA_USAGE_ACTIVATION_BUSY,
 * MEDIA_USAGE_ACTIVATION_VERSION_MISMATCH, MEDIA_USAGE_ACTIVATION_ADVANCE_ERROR.
 */
export async function advanceMediaUsageProgress(
  ctx: Context,
  deps: ActivationService,
): Promise<AdvancedProgress> {
  const current = await selectActivation(ctx.db);
  assertStarted(current);
  if (current.state === 'active') return runBackfill(ctx, deps, current);
  // A failed step needs a new confirmation that writers are drained.
  if (current.lastErrorCode !== null) return { activation: current, progress: null, nextRequestInMs: null };
  const { activation } = await takeStep(ctx, deps, await leaseActivation(ctx.db));
  return { activation, progress: null, nextRequestInMs: 0 };
}

async function runBackfill(
  ctx: Context,
  { usage }: ActivationService,
  activation: Activation,
): Promise<AdvancedProgress> {
  try {
    return { activation, ...(await advanceBackfill(ctx, usage)) };
  } catch (cause) {
    if (cause instanceof QuireError) throw cause;
    throw new QuireError(
      'MEDIA_USAGE_ACTIVATION_ADVANCE_ERROR',
      'Media usage indexing could not be advanced. Read its progress and retry.',
      { cause },
    );
  }
}

/** @throws QuireError MEDIA_USAGE_ACTIVATION_CONFLICT */
function assertStarted({ state }: Activation): void {
  if (state !== 'expanded') return;
  throw new QuireError(
    'MEDIA_USAGE_ACTIVATION_CONFLICT',
    'Media usage activation has not been started. Start it with {"writersDrained": true}.',
  );
}
