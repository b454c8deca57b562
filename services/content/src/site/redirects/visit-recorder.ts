import type { Context } from '@quire/context';
import type { Logger } from '@quire/observability';
import { IntervalTask } from '@quire/runtime';
import { NotFoundRecorder } from '../not-found-log/index.js';
import { DatabaseLimits, WriteBuffer } from '../write-buffer/index.js';
import { addHits, type RedirectHits } from './redirects.repository.js';

const writeEveryMs = 2_000;
const maxPendingRules = 20_000;
/** Most of the connections of a database remain for requests. */
const maxWritesPerDatabase = 4;

/**
 * Counts the hits of rules in the memory of this process; the counts of a tenant are added in one statement every few
 * seconds and when the process stops. A killed process loses the hits of the last seconds; only the displayed numbers
 * depend on them.
 */
class HitCounter {
  private readonly hits: WriteBuffer<RedirectHits>;

  constructor(limits: DatabaseLimits) {
    this.hits = new WriteBuffer<RedirectHits>({
      merge: (one, other) => ({
        count: one.count + other.count,
        lastAt: one.lastAt > other.lastAt ? one.lastAt : other.lastAt,
      }),
      write: ({ db }, hits) => addHits(db, hits),
      maxPerTenant: maxPendingRules,
      maxTotal: maxPendingRules,
      limits,
    });
  }

  count(ctx: Context, redirectId: string): void {
    this.hits.add(ctx, redirectId, { count: 1, lastAt: new Date().toISOString() });
  }

  /** @throws the failure, when some counts could not be written; they stay pending. */
  flush(options?: { maxWaitMs?: number }): Promise<void> {
    return this.hits.flush(options);
  }
}

/** Records visits of the sites: hits of redirects, and paths that were not found. One per process. */
export class VisitRecorder {
  private readonly limits = new DatabaseLimits(maxWritesPerDatabase);
  readonly hits = new HitCounter(this.limits);
  readonly notFound = new NotFoundRecorder(this.limits);
  private readonly writing: IntervalTask;

  constructor(logger: Pick<Logger, 'warn'>) {
    this.writing = new IntervalTask({
      // A slow site must not delay the records of others; before the process ends, all are written.
      work: (isStopping) => this.write(isStopping() ? {} : { maxWaitMs: writeEveryMs }),
      everyMs: writeEveryMs,
      failure: 'redirect hits and not-found paths not written; retrying',
      logger,
    });
  }

  start(): void {
    this.writing.start();
  }

  /** Writes the pending records; called after the response to the last request. */
  async stop(): Promise<void> {
    await this.writing.stop();
    await this.writing.runOnce();
  }

  /** Writes both kinds, even when one fails; failed records stay pending. */
  private async write(options: { maxWaitMs?: number }): Promise<void> {
    const results = await Promise.allSettled([this.hits.flush(options), this.notFound.flush(options)]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
}
