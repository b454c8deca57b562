import type { Logger } from '@quire/observability';

export interface IntervalTaskOptions {
  /** One run. @param isStopping whether long work should end early */
  work: (isStopping: () => boolean) => Promise<void>;
  /** From the end of one run to the start of the next. */
  everyMs: number;
  /** Log line when a run fails, once for each outage. */
  failure: string;
  logger: Pick<Logger, 'warn'>;
}

/** Periodic work with one task or several: one for each database. */
export interface Sweep {
  readonly tasks: readonly IntervalTask[];
  start(): void;
  /** Waits for the present runs. */
  stop(): Promise<void>;
}

/** Periodic work of a process. A failed run is followed by the next one as usual. */
export class IntervalTask {
  private timer: NodeJS.Timeout | undefined;
  /** Time of the timer, by `performance.now()`. */
  private startsAt = Infinity;
  private running: Promise<void> | undefined;
  private isPaused = false;
  /** Start of the next run if it was requested during the present one. */
  private wakeAt = Infinity;
  private isStopped = false;
  private isFailing = false;
  private succeededAt = Date.now();
  private observeRun: ((seconds: number) => void) | undefined;

  constructor(private readonly options: IntervalTaskOptions) {}

  /** From the end of one run to the start of the next. */
  get everyMs(): number {
    return this.options.everyMs;
  }

  /** End of the last successful run, or the last `progress`; the creation of the task if there was none. */
  get lastSuccessAt(): Date {
    return new Date(this.succeededAt);
  }

  /** Calls the listener with the duration of each run, of failed ones too. */
  onRun(listener: (seconds: number) => void): void {
    this.observeRun = listener;
  }

  /** Called by a long run that has completed a part of its work. */
  progress(): void {
    this.succeededAt = Date.now();
  }

  /** @param delayMs before the first run */
  start(delayMs = this.options.everyMs): void {
    if (this.isStopped) return;
    clearTimeout(this.timer);
    this.startsAt = performance.now() + delayMs;
    this.timer = setTimeout(() => {
      this.running = this.runAndRepeat();
    }, delayMs);
  }

  /** Starts the next run after this delay, or earlier; during a run, after its end at the earliest. */
  wake(delayMs = 0): void {
    const at = performance.now() + delayMs;
    if (this.running) this.wakeAt = Math.min(this.wakeAt, at);
    else if (at < this.startsAt) this.start(delayMs);
  }

  /** Called by a run that leaves no work: no further run starts before `wake`. A wake during this run counts. */
  pause(): void {
    this.isPaused = true;
  }

  /** Starts no further run, and waits for the present one. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Runs once, immediately. Never rejects. */
  async runOnce(): Promise<void> {
    const { work, failure, logger } = this.options;
    const startedAt = performance.now();
    try {
      await work(() => this.isStopped);
      this.isFailing = false;
      this.progress();
    } catch (error) {
      if (!this.isFailing) logger.warn({ err: error }, failure);
      this.isFailing = true;
    }
    this.observeRun?.((performance.now() - startedAt) / 1000);
  }

  private async runAndRepeat(): Promise<void> {
    this.startsAt = Infinity;
    this.wakeAt = Infinity;
    this.isPaused = false;
    await this.runOnce();
    this.running = undefined;
    const repeatsInMs = this.isPaused ? Infinity : this.options.everyMs;
    const delayMs = Math.min(repeatsInMs, Math.max(0, this.wakeAt - performance.now()));
    if (delayMs < Infinity) this.start(delayMs);
  }
}
