import { SingleTimer, type Clock } from './clock.js';
import type { EntryDocument } from './entry-document.js';
import { isEqual } from './equality.js';
import type { StoredField } from './field-store.js';
import type { PendingCreation } from './entry-writer.js';
import type { Draft, DraftKey, JournalStore } from './journal-store.js';
import { ListenerSet } from './listener-set.js';

/** A draft is stored within 250 ms after an edit; writing takes its part of that. */
const delayMs = 200;
const maxStates = 10;
/** States of one typing session are apart, so that ten of them reach back further than a few seconds. */
const stateIntervalMs = 60_000;
const stateLifetimeMs = 30 * 24 * 3_600_000;

export interface JournalOptions {
  store: JournalStore;
  clock: Clock;
  document: EntryDocument;
  /** Changes with `moveTo` when a new entry gets its id. */
  key: DraftKey;
  /** Whether the journal had a draft when the entry was opened. */
  hasDraft: boolean;
  /** The creation without a response, if any. */
  getCreation: () => PendingCreation | undefined;
}

/**
 * Keeps what the server does not have of an entry in the browser, so that nothing typed is only in memory. For the one
 * tab of the user that edits the entry.
 */
export class EntryJournal {
  readonly #options: JournalOptions;
  readonly #timer: SingleTimer;
  readonly #listeners = new ListenerSet<[]>();
  readonly #unsubscribe: () => void;
  #key: DraftKey;
  #isAvailable = true;
  #isStored: boolean;
  #lastStateAt = -Infinity;
  /** Writes are made one after the other: an older one must not replace a newer one. */
  #queue: Promise<void> = Promise.resolve();

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#key = options.key;
    this.#isStored = options.hasDraft;
    this.#timer = new SingleTimer(options.clock);
    // Merges, responses and decisions change what is unsent, as edits do.
    this.#unsubscribe = options.document.subscribeAll(() => this.#changed());
    // The server may have all of the draft: kept on, it would later be merged as if it were new.
    if (options.hasDraft) this.#changed();
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  /** Whether texts are kept. If not, the user is warned, and leaving asks. */
  readonly isAvailable = (): boolean => this.#isAvailable;

  /** Stores the present state at once: when the page is hidden or left. */
  async flush(): Promise<void> {
    this.#timer.cancel();
    this.#queue = this.#queue.then(() => this.#store());
    return this.#queue;
  }

  /** Goes on under the id of the entry that was created. */
  async moveTo(id: string): Promise<void> {
    const former = this.#key;
    this.#key = { ...former, id };
    this.#isStored = false;
    await this.flush();
    // The new draft is stored first: at no time there is none.
    this.#queue = this.#queue.then(() => this.#attempt(() => this.#options.store.delete(former)));
    return this.#queue;
  }

  /** Stops, and leaves the draft in the journal. */
  async dispose(): Promise<void> {
    this.stop();
    await this.flush();
  }

  /** Stops without storing: for the journal of a tab whose texts another tab has now. */
  stop(): void {
    this.#unsubscribe();
    this.#timer.cancel();
  }

  #changed(): void {
    if (!this.#timer.isSet) this.#timer.set(() => void this.flush(), delayMs);
  }

  async #store(): Promise<void> {
    const { store, clock, document, getCreation } = this.#options;
    const fields = document.unsentFields();
    const creation = getCreation();
    const hasText = [...fields.values()].some(hasUnsentText);
    if (!hasText && !creation) {
      if (this.#isStored) await this.#attempt(() => store.delete(this.#key));
      this.#isStored = false;
      return;
    }
    const draft: Draft = {
      ...this.#key,
      baseRev: document.rev,
      fields,
      at: clock.now(),
      ...(creation && { creation }),
    };
    this.#isStored = true;
    await this.#attempt(async () => {
      await store.put(draft);
      await this.#storeState(draft);
    });
  }

  async #storeState(draft: Draft): Promise<void> {
    const { store } = this.#options;
    if (draft.at - this.#lastStateAt < stateIntervalMs) {
      // The state of this interval is the latest of it.
      await store.putState({ ...draft, at: this.#lastStateAt });
      return;
    }
    this.#lastStateAt = draft.at;
    await store.putState(draft);
    await store.deleteStatesBefore(draft.at - stateLifetimeMs);
    for (const state of (await store.listStates(draft)).slice(maxStates)) await store.deleteState(state);
  }

  async #attempt(write: () => Promise<void>): Promise<void> {
    let isAvailable = true;
    try {
      await write();
    } catch {
      isAvailable = false;
    }
    if (isAvailable === this.#isAvailable) return;
    this.#isAvailable = isAvailable;
    this.#listeners.emit();
  }
}

function hasUnsentText({ base, value, sent, conflict }: StoredField): boolean {
  return sent.length > 0 || conflict !== undefined || !isEqual(base, value);
}
