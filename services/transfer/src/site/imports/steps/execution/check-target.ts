import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { TransferDeps } from '../../../../transfer-deps.js';
import { inspectSite } from '../../inspect-site.js';

/**
 * Checks that the site has nothing but the unchanged records of its beginning.
 * @throws QuireError TRANSFER_TARGET_NOT_EMPTY with the first kind of other records and their number,
 *   SERVICE_UNAVAILABLE
 */
export async function checkTarget(ctx: Context, deps: Pick<TransferDeps, 'clients'>): Promise<void> {
  const [first] = (await inspectSite(ctx, deps)).blockers;
  if (!first) return;
  const { kind, count } = first;
  throw new QuireError('TRANSFER_TARGET_NOT_EMPTY', `The site has records of the kind ${kind}`, {
    details: { kind, count },
  });
}
