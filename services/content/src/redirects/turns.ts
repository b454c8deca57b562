import { setImmediate } from 'node:timers/promises';

/** So many steps of work on many rules are taken in one go. */
const stepsPerTurn = 250;

/** Takes turns with whatever else the process has to do, for work that goes through many rules. */
export class Turns {
  private steps = 0;

  /** To be awaited before each step: now and then, everybody else who waits is let through first. */
  async step(): Promise<void> {
    this.steps += 1;
    if (this.steps % stepsPerTurn === 0) await setImmediate();
  }
}
