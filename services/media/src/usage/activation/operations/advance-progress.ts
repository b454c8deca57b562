import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { holdActivation, readActivation } from '../activation.repository.js';
import type { ActivationServices } from '../activation-services.js';
import type { Activation, AdvancedProgress } from '../activation.schemas.js';
import { advanceHistory } from '../history.js';
import { takeStep } from './advance-activation.js';
import { requireStarted } from './get-activation.js';

/**
 * Takes the next step of an activation that was started, and once it is active, of the index of what was written before.
 * @returns when to ask again: at once, later, or (null) no more.
 * @throws QuireError MEDIA_USAGE_ACTIVATION_CONFLICT before activation was started, MEDIA_USAGE_ACTIVATION_BUSY,
 * MEDIA_USAGE_ACTIVATION_VERSION_MISMATCH, MEDIA_USAGE_ACTIVATION_ADVANCE_ERROR.
 */
export async function advanceProgress(ctx: Context, services: ActivationServices): Promise<AdvancedProgress> {
  const current = await readActivation(ctx.db);
  requireStarted(current);
  if (current.state === 'active') return indexHistory(ctx, services, current);
  // A failed step is tried again by somebody who says anew that writers are drained.
  if (current.lastErrorCode !== null) return { activation: current, progress: null, nextRequestInMs: null };
  const { activation } = await takeStep(ctx, services, await holdActivation(ctx.db));
  return { activation, progress: null, nextRequestInMs: 0 };
}

async function indexHistory(
  ctx: Context,
  { usage }: ActivationServices,
  activation: Activation,
): Promise<AdvancedProgress> {
  try {
    return { activation, ...(await advanceHistory(ctx, usage)) };
  } catch (cause) {
    if (cause instanceof QuireError) throw cause;
    throw new QuireError(
      'MEDIA_USAGE_ACTIVATION_ADVANCE_ERROR',
      'The index of media usage could not be advanced; read its progress and try again',
      { cause },
    );
  }
}
