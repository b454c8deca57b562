import type { Sleep } from '../http/retries.js';

/** Milliseconds between two reads of the state at the beginning of an operation. */
const firstPartMs = 100;
/** Later, as a share of the time since the beginning: then a read costs little beside the operation. */
const partOfElapsed = 0.1;

/** The delays between the requests for the steps of an operation, whose steps a worker of the site takes too. */
export class StepDelay {
  private readonly start = performance.now();

  constructor(
    private readonly sleep: Sleep,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Waits as long as the site asks for, or until another process has brought the operation into another state.
   * @param state of the operation, as the site has responded with it
   * @param readState reads the present one, without taking a step
   */
  async wait(
    delayMs: number,
    { state, readState }: { state: string; readState: () => Promise<string> },
  ): Promise<void> {
    for (let left = delayMs; left > 0;) {
      const part = Math.min(left, Math.max(firstPartMs, this.elapsedMs() * partOfElapsed));
      await this.sleep(part, this.signal);
      left -= part;
      if (left > 0 && (await readState()) !== state) return;
    }
  }

  private elapsedMs(): number {
    return Math.round(performance.now() - this.start);
  }
}
