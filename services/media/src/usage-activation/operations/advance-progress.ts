import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { holdActivation, readActivation, releaseActivation } from '../activation.repository.js';
import type { ActivationServices } from '../activation-services.js';
import type { Activation, AdvancedProgress } from '../activation.schemas.js';
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
  // A failed step is tried again by somebody who says anew that writers are drained.
  if (needsConfirmation(current)) return { activation: current, progress: null, nextRequestInMs: null };
  const held = await holdActivation(ctx.db);
  if (held.activation.state === 'active') return advanceHistory(ctx, services, held.token);
  const { activation } = await takeStep(ctx, services, held);
  return { activation, progress: null, nextRequestInMs: 0 };
}

const needsConfirmation = ({ state, lastErrorCode }: Activation) =>
  state === 'activating' && lastErrorCode !== null;

async function advanceHistory(
  ctx: Context,
  { history }: ActivationServices,
  token: string,
): Promise<AdvancedProgress> {
  try {
    await history.advance(ctx);
    const progress = await history.progress(ctx);
    const activation = await releaseActivation(ctx.db, token, {});
    return { activation, progress, nextRequestInMs: progress.status === 'indexing' ? 0 : null };
  } catch (cause) {
    await releaseActivation(ctx.db, token, {});
    throw new QuireError(
      'MEDIA_USAGE_ACTIVATION_ADVANCE_ERROR',
      'The index of media usage could not be advanced; read its progress and try again',
      { cause },
    );
  }
}
