import type { Logger } from '@quire/observability';
import { IntervalTask } from '@quire/runtime';
import { NotFoundRecorder } from '../not-found-log/index.js';
import { HitCounter } from './hit-counter.js';

const writeEveryMs = 2_000;

/** What visitors of the sites leave behind: hits of redirects, and paths that were not found. One a process. */
export class VisitRecorder {
  readonly hits = new HitCounter();
  readonly notFound = new NotFoundRecorder();
  private readonly writing: IntervalTask;

  constructor(logger: Pick<Logger, 'warn'>) {
    this.writing = new IntervalTask({
      work: () => this.write(),
      everyMs: writeEveryMs,
      failure: 'redirect hits and not-found paths not written; retrying',
      logger,
    });
  }

  start(): void {
    this.writing.start();
  }

  /** Writes what waits; to be called after the last request was answered. */
  async stop(): Promise<void> {
    await this.writing.stop();
    await this.writing.runOnce();
  }

  /** What cannot be written waits for the next time, and keeps nothing else from being written. */
  private async write(): Promise<void> {
    const written = await Promise.allSettled([this.hits.flush(), this.notFound.flush()]);
    for (const one of written) if (one.status === 'rejected') throw one.reason;
  }
}
