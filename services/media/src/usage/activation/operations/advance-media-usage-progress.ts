import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { leaseActivation, selectActivation } from '../activation.repository.js';
import type { ActivationService } from '../activation-service.js';
import type { Activation, AdvancedProgress } from '../activation.schemas.js';
import { advanceBackfill } from '../backfill.js';
import { takeStep } from './advance-media-usage-activation.js';
import { assertStarted } from './get-media-usage-activation.js';

/**
 * Takes the next step of an activation that was started, and once it is active, of the index of what was written
 * before.
 * @returns when to ask again: at once, later, or (null) no more.
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
  // A failed step is tried again by somebody who says anew that writers are drained.
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
