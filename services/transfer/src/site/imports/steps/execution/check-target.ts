import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { recordOwners, siteRecords } from '@quire/internal-api';
import type { TransferDeps } from '../../../../transfer-deps.js';

/**
 * Checks that the site has nothing but the unchanged records of its beginning.
 * @throws QuireError TRANSFER_TARGET_NOT_EMPTY with the first kind of other records and their number,
 *   SERVICE_UNAVAILABLE
 */
export async function checkTarget(ctx: Context, { clients }: Pick<TransferDeps, 'clients'>): Promise<void> {
  for (const owner of recordOwners) {
    const { blockers } = await clients[owner].call(siteRecords[owner].inspect, ctx, undefined);
    const [first] = blockers;
    if (first)
      throw new QuireError('TRANSFER_TARGET_NOT_EMPTY', `The site has records of the kind ${first.kind}`, {
        details: { kind: first.kind, count: first.count },
      });
  }
}
