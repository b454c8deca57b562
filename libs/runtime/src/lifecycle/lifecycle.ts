import type { Logger } from '@quire/observability';

interface Step {
  name: string;
  stop: () => Promise<void> | void;
}

/** Maximum time for one part to stop; then the next one is stopped. */
const stepTimeoutMs = 12_000;
/** Maximum time for all parts together: less than orchestrators wait before they kill a process. */
export const maxStopMs = 20_000;

/** Stops the parts of a process in the reverse of the order in which they were started. */
export class Lifecycle {
  private readonly steps: Step[] = [];
  private drain: (() => Promise<void>) | undefined;
  private stopping: Promise<void> | undefined;

  constructor(private readonly logger: Logger) {}

  /** Registers how to stop a component that has just been started. */
  onShutdown(name: string, stop: () => Promise<void> | void): void {
    this.steps.push({ name, stop });
  }

  /** Registers what happens before the first part stops; its time does not count. */
  beforeShutdown(drain: () => Promise<void>): void {
    this.drain = drain;
  }

  /** Stops everything; a second call waits for the first. A part that fails to stop does not prevent the others. */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  private async stopAll(): Promise<void> {
    await this.drain?.();
    const end = Date.now() + maxStopMs;
    for (const { name, stop } of [...this.steps].reverse()) {
      try {
        await withinTime(stop, Math.max(0, Math.min(stepTimeoutMs, end - Date.now())));
      } catch (error) {
        this.logger.warn({ part: name, err: error }, 'component did not stop cleanly');
      }
    }
  }
}

async function withinTime(stop: Step['stop'], milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${milliseconds} ms`)), milliseconds);
  });
  try {
    await Promise.race([Promise.resolve(stop()), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
