import type { Context } from '@quire/context';
import { TenantBatches } from '../buffered-writes/index.js';
import { addVisits } from './not-found.repository.js';
import { maximumPathCharacters, mergeVisits, oneVisit, type Visitor, type Visits } from './visits.js';

/** Paths that may wait to be written; in a flood, further ones are not noted. */
const maximumWaitingPerTenant = 1_000;
const maximumWaiting = 5_000;

/**
 * Notes paths that were not found. Noting is no write: visits are added up by path in the memory of this process and
 * written every few seconds and when the process stops. A process that is killed loses the visits of the last seconds.
 */
export class NotFoundRecorder {
  private readonly visits = new TenantBatches<Visits>({
    merge: mergeVisits,
    write: addVisits,
    maximumPerTenant: maximumWaitingPerTenant,
    maximum: maximumWaiting,
  });

  note(ctx: Context, path: string, visitor: Visitor): void {
    this.visits.add(ctx, path.slice(0, maximumPathCharacters), oneVisit(visitor, new Date().toISOString()));
  }

  /** Forgets what waits for the caller's site. */
  forget(ctx: Context): void {
    this.visits.forget(ctx);
  }

  /** @throws the failure, when some visits could not be written and wait. */
  flush(): Promise<void> {
    return this.visits.flush();
  }
}
