import type { Logger } from '@quire/observability';

export interface PeriodicFlushParts {
  /** What is written one after the other. */
  buffers: readonly { flush(): Promise<void> }[];
  everyMs: number;
  logger: Pick<Logger, 'warn'>;
}

/** Writes buffers every few seconds, and once more when the process stops. */
export class PeriodicFlush {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;
  private isFailing = false;

  constructor(private readonly parts: PeriodicFlushParts) {}

  start(): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.running = this.flush().finally(() => this.start());
    }, this.parts.everyMs);
  }

  /** Waits for what is under way and writes the rest. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
    await this.flush();
  }

  private async flush(): Promise<void> {
    let failure: unknown;
    for (const buffer of this.parts.buffers)
      await buffer.flush().catch((error: unknown) => (failure = error));
    // One line an outage: what could not be written waits for the next time.
    if (failure !== undefined && !this.isFailing)
      this.parts.logger.warn({ err: failure }, 'hits and paths that were not found cannot be written now');
    this.isFailing = failure !== undefined;
  }
}
