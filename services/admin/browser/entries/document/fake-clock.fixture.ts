import type { Clock } from './clock.js';

/** A clock that moves only when a test says so. */
export class FakeClock implements Clock {
  #now = 0;
  #timers: { at: number; run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  setTimer(run: () => void, ms: number): () => void {
    const timer = { at: this.#now + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  readonly sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      this.setTimer(resolve, ms);
    });

  /** Moves the time, and runs the timers on the way and all that follows from them. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
      await settle();
    }
    this.#now = end;
  }
}

/** Waits until no promise has work left. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
