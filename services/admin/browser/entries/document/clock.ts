/** Time and timers; tests have their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** @returns cancels the timer */
  setTimer(run: () => void, ms: number): () => void;
}

/** The clock of the browser. */
export const browserClock: Clock = {
  now: () => Date.now(),
  setTimer(run, ms) {
    const timer = setTimeout(run, ms);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** At most one timer that is waiting. */
export class SingleTimer {
  #cancel: (() => void) | undefined;

  constructor(private readonly clock: Clock) {}

  /** Replaces the timer. */
  set(run: () => void, ms: number): void {
    this.cancel();
    this.#cancel = this.clock.setTimer(
      () => {
        this.#cancel = undefined;
        run();
      },
      Math.max(0, ms),
    );
  }

  get isSet(): boolean {
    return this.#cancel !== undefined;
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
