import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { selectActivation } from '../activation.repository.js';
import type { ActivationService } from '../activation-service.js';
import { getBackfillProgress } from '../backfill.js';
import type { Activation, Progress } from '../activation.schemas.js';

/** Whether changes of media references are tracked, and how far the activation is. */
export async function getMediaUsageActivation(ctx: Context): Promise<Activation> {
  return selectActivation(ctx.db);
}

/**
 * How much of the site is in the index.
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

/** @throws QuireError MEDIA_USAGE_ACTIVATION_CONFLICT */
export function assertStarted({ state }: Activation): void {
  if (state !== 'expanded') return;
  throw new QuireError(
    'MEDIA_USAGE_ACTIVATION_CONFLICT',
    'Media usage activation has not been started. Start it with {"writersDrained": true}.',
  );
}
