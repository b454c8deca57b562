import type { Logger } from '@quire/observability';
import { PeriodicFlush } from '../buffered-writes/index.js';
import { NotFoundRecorder } from '../not-found-log/index.js';
import { HitCounter } from './hit-counter.js';

const writeEveryMs = 2_000;

/** What visitors of the sites leave behind: hits of redirects, and paths that were not found. One a process. */
export class SiteTraffic {
  readonly hits = new HitCounter();
  readonly notFound = new NotFoundRecorder();
  private readonly writing: PeriodicFlush;

  constructor(logger: Pick<Logger, 'warn'>) {
    this.writing = new PeriodicFlush({ buffers: [this.hits, this.notFound], everyMs: writeEveryMs, logger });
  }

  start(): void {
    this.writing.start();
  }

  /** Writes what waits; to be called after the last request was answered. */
  stop(): Promise<void> {
    return this.writing.stop();
  }
}
