import type { Logger } from '@quire/observability';

export interface IntervalTaskOptions {
  /** Does it once. @param isStopping whether long work should come to its end */
  work: (isStopping: () => boolean) => Promise<void>;
  /** Between the end of one time and the beginning of the next. */
  everyMs: number;
  /** What the log says when it fails, once an outage. */
  failure: string;
  logger: Pick<Logger, 'warn'>;
}

/** Work that a process does again and again while it runs; what fails is tried again the next time. */
export class IntervalTask {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;
  private isFailing = false;

  constructor(private readonly options: IntervalTaskOptions) {}

  /** @param delayMs before the first time */
  start(delayMs = this.options.everyMs): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.running = this.runOnce().finally(() => this.start());
    }, delayMs);
  }

  /** Ends it and waits for what is under way. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Does it now. Never rejects. */
  async runOnce(): Promise<void> {
    const { work, failure, logger } = this.options;
    try {
      await work(() => this.isStopped);
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) logger.warn({ err: error }, failure);
      this.isFailing = true;
    }
  }
}
