import { SingleTimer, type Clock } from './clock.js';
import type { EntryVersion } from './entry-document.js';
import { isEqual } from './equality.js';
import { ListenerSet } from './listener-set.js';
import type { LockStatus } from './lock.js';

const intervalMs = 20_000;

export interface PresenceRequests {
  /** Reads the entry with the ETag of the former call. @returns undefined if it has not changed since */
  readIfChanged(): Promise<EntryVersion | undefined>;
  getLock(): Promise<LockStatus>;
}

export interface PresenceOptions {
  requests: PresenceRequests;
  clock: Clock;
  /** The entry has another version: a reader's fields follow it. */
  onVersion: (version: EntryVersion) => void;
  onError: (error: unknown) => void;
}

/** For readers of an entry: asks regularly who is editing it, and what has changed, while the page is visible. */
export class EntryPresence {
  readonly #options: PresenceOptions;
  readonly #timer: SingleTimer;
  readonly #listeners = new ListenerSet<[]>();
  #status: LockStatus | undefined;
  #isVisible = false;
  #isPolling = false;

  constructor(options: PresenceOptions) {
    this.#options = options;
    this.#timer = new SingleTimer(options.clock);
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  /** Who holds the lease, as last read; the same object until it changes. */
  readonly getStatus = (): LockStatus | undefined => this.#status;

  /** Begins to ask, at once, or stops: the page is visible or hidden, the reader begins to edit. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#timer.cancel();
    if (isVisible && !this.#isPolling) void this.#poll();
  }

  async #poll(): Promise<void> {
    const { requests, onVersion, onError } = this.#options;
    this.#isPolling = true;
    try {
      const [status, version] = await Promise.all([requests.getLock(), requests.readIfChanged()]);
      if (!isEqual(status, this.#status)) {
        this.#status = status;
        this.#listeners.emit();
      }
      if (version && this.#isVisible) onVersion(version);
    } catch (error) {
      onError(error);
    }
    this.#isPolling = false;
    if (this.#isVisible) this.#timer.set(() => void this.#poll(), intervalMs);
  }
}
