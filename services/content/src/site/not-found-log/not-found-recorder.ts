import type { Context } from '@quire/context';
import { WriteBuffer, type DatabaseLimits } from '../write-buffer/index.js';
import { upsertHits } from './not-found-log.repository.js';
import {
  maxLoggedPathLength,
  mergeHits,
  newHit,
  type RequestSource,
  type NotFoundHits,
} from './not-found-hits.js';

/** Pending paths; beyond these limits, new paths are not recorded. */
const maxPendingPathsPerTenant = 1_000;
const maxPendingPaths = 5_000;

/**
 * Records paths that were not found. Hits are added up by path in the memory of this process and written every few
 * seconds and when the process stops. A killed process loses the hits of the last seconds.
 */
export class NotFoundRecorder {
  private readonly hits: WriteBuffer<NotFoundHits>;

  constructor(limits: DatabaseLimits) {
    this.hits = new WriteBuffer<NotFoundHits>({
      merge: mergeHits,
      write: upsertHits,
      maxPerTenant: maxPendingPathsPerTenant,
      maxTotal: maxPendingPaths,
      limits,
    });
  }

  record(ctx: Context, path: string, source: RequestSource): void {
    this.hits.add(ctx, path.slice(0, maxLoggedPathLength), newHit(source, new Date().toISOString()));
  }

  /** Discards the pending hits of the caller's site. */
  discard(ctx: Context): void {
    this.hits.discard(ctx);
  }

  /** @throws the failure, when some hits could not be written; they stay pending. */
  flush(options?: { maxWaitMs?: number }): Promise<void> {
    return this.hits.flush(options);
  }
}
