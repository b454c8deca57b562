import { SingleTimer, type Clock } from './clock.js';

const quietMs = 1_500;
const maxTypingMs = 10_000;

/** Says when edits are saved: shortly after the last one, and not too long after the first. */
export class AutosaveTimer {
  readonly #timer: SingleTimer;
  #firstEditAt: number | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly onDue: () => void,
  ) {
    this.#timer = new SingleTimer(clock);
  }

  edited(): void {
    const now = this.clock.now();
    this.#firstEditAt ??= now;
    const due = () => {
      this.#firstEditAt = undefined;
      this.onDue();
    };
    this.#timer.set(due, Math.min(quietMs, this.#firstEditAt + maxTypingMs - now));
  }

  /** Whether an edit is waiting. */
  get isSet(): boolean {
    return this.#timer.isSet;
  }

  /** The edits until now are being sent. */
  reset(): void {
    this.#firstEditAt = undefined;
    this.#timer.cancel();
  }
}
