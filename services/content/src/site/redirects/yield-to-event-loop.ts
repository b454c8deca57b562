import { setImmediate } from 'node:timers/promises';

/** Steps between two yields. */
const stepsPerYield = 250;

/** Yields to the event loop during work on many rules. */
export class EventLoopYielder {
  private steps = 0;

  /** To be awaited before each step: lets the event loop run every few steps. */
  async yieldIfDue(): Promise<void> {
    this.steps += 1;
    if (this.steps % stepsPerYield === 0) await setImmediate();
  }
}
