import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import {
  startActivation,
  leaseActivation,
  selectActivation,
  releaseActivation,
  type LeasedActivation,
} from '../activation.repository.js';
import type { ActivationService } from '../activation-service.js';
import type { Activation, AdvancedActivation } from '../activation.schemas.js';

/**
 * Starts the activation, or takes its next step: one collection at most (document 1, Media rule 9). Writes of content
 * and schema are refused from the first step to the last. What fails is tried again by the next request that says that
 * writers are drained.
 * @throws QuireError MEDIA_USAGE_ACTIVATION_BUSY, MEDIA_USAGE_ACTIVATION_CONFLICT,
 * MEDIA_USAGE_ACTIVATION_VERSION_MISMATCH, MEDIA_USAGE_ACTIVATION_ADVANCE_ERROR when the step failed.
 */
export async function advanceMediaUsageActivation(
  ctx: Context,
  deps: ActivationService,
): Promise<AdvancedActivation> {
  const activation = await selectActivation(ctx.db);
  if (activation.state === 'active') return { outcome: 'active', processedCollections: 0, activation };
  const held = await leaseActivation(ctx.db);
  if (held.activation.state === 'expanded') {
    await ctx.db.transaction(async (tx) => {
      await startActivation(tx, held.token);
      await audit(ctx, tx, { action: 'media-usage.activation-started', target: null });
    });
  }
  return takeStep(ctx, deps, held);
}

/**
 * The next step of an activation whose lease is held; it gives the lease back.
 * @throws as `advanceMediaUsageActivation`
 */
export async function takeStep(
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
  // Before the list is read: a collection is either in it or made while new ones are followed.
  await deps.trackNewCollections(ctx);
  const [next, ...more] = await deps.collectionsAfter(ctx, collectionCursor);
  if (next) await deps.track(ctx, next);
  const change = next ? { collectionCursor: next.slug } : {};
  const processed = next ? 1 : 0;
  if (more.length > 0) return { outcome: 'activating', processed, change };
  // Before the state says so: a process that dies in between leaves an activation that the next request completes.
  await deps.fence(ctx, false);
  return { outcome: 'active', processed, change: { ...change, state: 'active' } };
}
