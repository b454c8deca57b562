import { AutosaveTimer } from './autosave-timer.js';
import type { EntryVersion } from './entry-document.js';
import type { EntryField } from './entry-fields.js';
import { bodySize } from './entry-requests.js';
import {
  EntryWriter,
  type EntryWriterOptions,
  type PendingCreation,
  type WriteOutcome,
} from './entry-writer.js';
import { pendingOf, widerMode, type SaveMode } from './save-mode.js';
import { SaveState } from './save-state.js';
import type { SaveStatus } from './save-status.js';
import { toWriteFailure, type LeaseHolder } from './write-failure.js';

/** Changes of others that one save merges at once; then it waits. */
const maxMergesPerSave = 5;
/** Browsers send at most 64 KiB after a page is left, headers and the release of the lease included. */
const maxKeepaliveBytes = 60 * 1024;

export interface SaverOptions extends EntryWriterOptions {
  /** Of the user whose text this is. */
  userId: string;
  /** Depends on the present status of the entry. */
  saveMode: (field: EntryField) => SaveMode;
  /** Whether a new entry is created by Save only: for users who cannot edit it afterwards. */
  createsOnSave?: boolean;
  /** The lease on the entry; the first write waits for it. */
  lease?: { isHeld: () => Promise<boolean>; markLost: (holder: LeaseHolder | undefined) => void };
  onSignedOut?: () => void;
}

/** Why a transition did not happen; `changed`: another editor's change has just been merged. */
export type TransitionResult<Result> =
  | { done: true; result: Result }
  | { done: false; reason: 'conflict' | 'invalid' | 'unsaved' | 'changed'; fields: readonly string[] };

/** Saves a document: one request at a time, each with the version that it changes. */
export class Saver {
  readonly #options: SaverOptions;
  readonly #writer: EntryWriter;
  readonly #autosave: AutosaveTimer;
  readonly #state: SaveState;
  readonly #subscriptions: (() => void)[];
  #running: Promise<unknown> | undefined;
  #mode: SaveMode = 'auto';
  /** Whether edits are to be sent as soon as the present request has ended. */
  #isDue = false;
  #isLeaving = false;

  constructor(options: SaverOptions) {
    const { document, clock } = options;
    this.#options = options;
    this.#writer = new EntryWriter(options);
    this.#autosave = new AutosaveTimer(clock, () => void this.#run());
    this.#state = new SaveState({
      clock,
      getSummary: document.getSummary,
      writer: this.#writer,
      onResumed: () => void this.#run(),
    });
    this.#subscriptions = [
      document.onEdit(() => this.#edited()),
      document.subscribeAll(() => this.#state.changed()),
    ];
    // From the journal: edits of another visit, and requests that may have been executed.
    const isUnsent = document.getSummary().dirty.length > 0 || document.hasUnconfirmed();
    if (options.creation || isUnsent) this.#autosave.edited();
  }

  /** Whether a new entry is created by Save only. */
  get createsOnSave(): boolean {
    return this.#options.createsOnSave ?? false;
  }

  /** Id of the entry; undefined before it is created. */
  get id(): string | undefined {
    return this.#writer.id;
  }

  /** The creation to keep in the journal: repeated after a reload, it makes no second entry. */
  get creation(): PendingCreation | undefined {
    return this.#writer.creation;
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#state.subscribe(listener);

  /** The same object until it changes. */
  readonly getStatus = (): SaveStatus => this.#state.getStatus();

  /** Removes the notice of merged changes: the user has seen it. */
  dismissMerged(): void {
    this.#writer.dismissMerged();
    this.#state.changed();
  }

  /**
   * Saves now, in a revision of its own.
   * @param mode fields beside the automatic ones
   * @returns whether all fields of the mode are saved
   */
  async save(mode: Exclude<SaveMode, 'auto'> = 'save'): Promise<boolean> {
    this.#mode = widerMode(this.#mode, mode);
    this.#writer.requestRevision();
    this.#state.resumeFrom('connection', 'read-only', 'rejected');
    await this.#run();
    await this.#settled();
    const { invalid, conflict } = this.#options.document.getSummary();
    return invalid.length + conflict.length + this.#pending(mode).size === 0 && !this.creation;
  }

  /** Sends edits without waiting for the end of typing. @returns when they are saved, or saving waits or has stopped */
  async sendNow(): Promise<void> {
    await this.#run();
    await this.#settled();
  }

  /** Sends what fits into a request that outlives the page. The journal keeps the rest. */
  flush(): void {
    const { document } = this.#options;
    const values = this.#pending(this.#mode);
    if (this.#running || values.size === 0 || bodySize(document.fields, values) > maxKeepaliveBytes) return;
    this.#isLeaving = true;
    void this.#run().finally(() => {
      this.#isLeaving = false;
    });
  }

  /** The browser is connected again. */
  online(): void {
    this.#state.resumeFrom('connection');
  }

  /** A user has signed in again. The texts of one user are never saved by another. */
  signedIn(userId: string): void {
    if (userId !== this.#options.userId) this.#state.stop('other-user');
    else this.#state.resumeFrom('signed-out', 'other-user');
  }

  /** The lease is another user's now. */
  leaseLost(holder: LeaseHolder | undefined): void {
    this.#state.stop('locked', { holder });
  }

  /** Goes on after the reason to stop has gone: the lease is back, or the entry was restored. */
  resumeSaving(): void {
    this.#state.resumeFrom('locked', 'account-disabled', 'gone', 'denied', 'rejected');
  }

  /**
   * Publishes, schedules, discards or deletes: after the running request and, by default, a save of everything, with
   * the newest version.
   * @param run returns the version of its response; undefined if there is none
   * @throws what `run` throws, but for a change of another editor, which is merged
   */
  async transition<Result extends { version?: EntryVersion | undefined }>(
    run: (id: string, rev: string) => Promise<Result>,
    { savesFirst = true, discardsEdits = false } = {},
  ): Promise<TransitionResult<Result>> {
    if (savesFirst) await this.save();
    await this.#settled();
    const { conflict, invalid } = this.#options.document.getSummary();
    if (conflict.length > 0) return { done: false, reason: 'conflict', fields: conflict };
    if (savesFirst && invalid.length > 0) return { done: false, reason: 'invalid', fields: invalid };
    const unsaved = savesFirst ? [...this.#pending('save').keys()] : [];
    const { id } = this;
    if (id === undefined || unsaved.length > 0 || !this.#state.isReady)
      return { done: false, reason: 'unsaved', fields: unsaved };
    const request = this.#runTransition((rev) => run(id, rev), discardsEdits).finally(() => this.#ended());
    this.#running = request.catch(() => undefined);
    return request;
  }

  /** Stops all timers. The text stays in the journal. */
  dispose(): void {
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    this.#autosave.reset();
    this.#state.dispose();
  }

  async #runTransition<Result extends { version?: EntryVersion | undefined }>(
    run: (rev: string) => Promise<Result>,
    discardsEdits: boolean,
  ): Promise<TransitionResult<Result>> {
    const { document } = this.#options;
    try {
      const result = await run(document.rev ?? '');
      if (result.version && discardsEdits) document.reset(result.version);
      else if (result.version) document.acceptWrite(result.version, new Map());
      return { done: true, result };
    } catch (error) {
      const failure = toWriteFailure(error);
      if (failure.kind === 'signed-out') this.#take({ kind: 'failed', failure, error });
      if (failure.kind !== 'stale') throw error;
      this.#take(await this.#writer.mergeNewest(failure.editedBy));
      return { done: false, reason: 'changed', fields: this.#writer.merged?.fields ?? [] };
    }
  }

  #edited(): void {
    this.#autosave.edited();
    // The edit may correct what the server has rejected.
    if (this.#state.reason === 'rejected') this.#state.idle();
  }

  /** Runs until nothing is due, or saving waits or has stopped. */
  #run(): Promise<unknown> {
    this.#isDue = true;
    if (this.#running) return this.#running;
    if (!this.#state.isReady) return Promise.resolve();
    this.#running = this.#writeUntilDone().finally(() => this.#ended());
    return this.#running;
  }

  async #settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  #ended(): void {
    this.#running = undefined;
    this.#state.ended();
    // An edit may have become due while a transition was running.
    if (this.#isDue && this.#state.isReady) void this.#run();
  }

  async #writeUntilDone(): Promise<void> {
    let merges = 0;
    while (this.#isDue && this.#state.isReady) {
      this.#isDue = false;
      const outcome = await this.#writeOnce();
      if (!outcome) return;
      if (outcome.kind === 'merged') merges += 1;
      if (merges > maxMergesPerSave) this.#state.waitForConnection();
      this.#take(outcome);
    }
  }

  /** @returns undefined if there is nothing to write now */
  async #writeOnce(): Promise<WriteOutcome | undefined> {
    const { document, lease } = this.#options;
    const keepalive = this.#isLeaving;
    const { id } = this;
    if (id === undefined)
      return this.#createsNow() ? this.#send(() => this.#writer.create({ keepalive })) : undefined;
    if (this.#pending(this.#mode).size === 0)
      return document.hasUnconfirmed() ? this.#writer.confirm() : undefined;
    this.#state.saving();
    if (lease && !(await lease.isHeld())) this.#state.stop('locked');
    // The session or the lease may have ended while the lease was acquired.
    if (!this.#state.isReady) return undefined;
    return this.#send((values) => this.#writer.update(id, values, { keepalive }));
  }

  #createsNow(): boolean {
    const { document } = this.#options;
    if (this.creation) return true;
    const invalid = new Set(document.getSummary().invalid);
    const isComplete = document.fields.every(({ key, isRequired }) => !isRequired || !invalid.has(key));
    return isComplete && (!this.createsOnSave || this.#mode !== 'auto') && document.pendingValues().size > 0;
  }

  async #send(write: (values: Map<string, unknown>) => Promise<WriteOutcome>): Promise<WriteOutcome> {
    const mode = this.#mode;
    const values = this.#pending(mode);
    this.#mode = 'auto';
    this.#autosave.reset();
    this.#state.saving();
    const outcome = await write(values);
    if (outcome.kind !== 'written') this.#mode = widerMode(this.#mode, mode);
    return outcome;
  }

  /** Decides what follows a request. */
  #take(outcome: WriteOutcome): void {
    if (outcome.kind === 'failed') {
      const { failure, error } = outcome;
      if (failure.kind === 'locked') this.#options.lease?.markLost(failure.holder);
      this.#state.failed(failure, error);
      if (failure.kind === 'signed-out') this.#options.onSignedOut?.();
      return;
    }
    if (outcome.kind === 'written') this.#state.succeeded();
    // Edits since then have a timer of their own; those before a repeated creation do not.
    this.#isDue ||=
      outcome.kind !== 'written' || (!this.#autosave.isSet && this.#pending(this.#mode).size > 0);
    this.#state.changed();
  }

  /** The values that a mode sends. */
  #pending(mode: SaveMode): Map<string, unknown> {
    return pendingOf(this.#options.document, { mode, modeOf: this.#options.saveMode });
  }
}
