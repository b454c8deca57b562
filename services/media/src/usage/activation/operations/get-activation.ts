import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { readActivation } from '../activation.repository.js';
import type { ActivationServices } from '../activation-services.js';
import { historyProgress } from '../history.js';
import type { Activation, Progress } from '../activation.schemas.js';

/** Whether changes of media references are tracked, and how far the activation is. */
export async function getActivation(ctx: Context): Promise<Activation> {
  return readActivation(ctx.db);
}

/**
 * How much of the site is in the index.
 * @throws QuireError MEDIA_USAGE_ACTIVATION_CONFLICT before activation was started, MEDIA_USAGE_ACTIVATION_READ_ERROR.
 */
export async function getProgress(ctx: Context, { usage }: ActivationServices): Promise<Progress> {
  requireStarted(await readActivation(ctx.db));
  return historyProgress(ctx, usage).catch((cause: unknown) => {
    if (cause instanceof QuireError) throw cause;
    throw new QuireError('MEDIA_USAGE_ACTIVATION_READ_ERROR', 'The progress cannot be read; try again', {
      cause,
    });
  });
}

/** @throws QuireError MEDIA_USAGE_ACTIVATION_CONFLICT */
export function requireStarted({ state }: Activation): void {
  if (state !== 'expanded') return;
  throw new QuireError(
    'MEDIA_USAGE_ACTIVATION_CONFLICT',
    'The activation of media usage was not started: send {"writersDrained": true} to it first',
  );
}
