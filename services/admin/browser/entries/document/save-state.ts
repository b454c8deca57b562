import { SingleTimer, type Clock } from './clock.js';
import type { DocumentSummary } from './entry-document.js';
import type { EntryWriter } from './entry-writer.js';
import { isEqual } from './equality.js';
import { ListenerSet } from './listener-set.js';
import {
  toSaveStatus,
  type SavePhase,
  type SaveStatus,
  type StopReason,
  type WaitReason,
} from './save-status.js';
import type { LeaseHolder, WriteFailure } from './write-failure.js';

const readOnlyRetryMs = 15_000;
const firstRetryMs = 1_000;
const maxRetryMs = 30_000;

export interface SaveStateOptions {
  clock: Clock;
  getSummary: () => DocumentSummary;
  writer: Pick<EntryWriter, 'savedAt' | 'merged'>;
  /** The reason to wait has gone, or it is time to try again. */
  onResumed: () => void;
}

/** What the saver is doing: saving, waiting for a retry, or stopped; and the status that is shown. */
export class SaveState {
  readonly #options: SaveStateOptions;
  readonly #retry: SingleTimer;
  readonly #listeners = new ListenerSet<[]>();
  #phase: SavePhase = { kind: 'idle' };
  #failures = 0;
  #status: SaveStatus;

  constructor(options: SaveStateOptions) {
    this.#options = options;
    this.#retry = new SingleTimer(options.clock);
    this.#status = this.#toStatus();
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  /** The same object until it changes. */
  readonly getStatus = (): SaveStatus => this.#status;

  /** Whether requests may be sent. */
  get isReady(): boolean {
    return this.#phase.kind === 'idle' || this.#phase.kind === 'saving';
  }

  /** Why saving waits or has stopped. */
  get reason(): WaitReason | StopReason | undefined {
    return 'reason' in this.#phase ? this.#phase.reason : undefined;
  }

  saving(): void {
    this.#setPhase({ kind: 'saving' });
  }

  /** The reason to stop may have gone; the next request shows it. */
  idle(): void {
    this.#setPhase({ kind: 'idle' });
  }

  /** The present request has ended. */
  ended(): void {
    if (this.#phase.kind === 'saving') this.#setPhase({ kind: 'idle' });
  }

  /** A request was executed: the next failure is the first one. */
  succeeded(): void {
    this.#failures = 0;
  }

  /** Waits or stops, as the failure of a request demands. */
  failed(failure: WriteFailure, error: unknown): void {
    // A retry would go on in the session of another user, or without the lease.
    if (this.#phase.kind === 'stopped') return;
    if (failure.kind === 'connection') this.waitForConnection(failure.retryAfterMs);
    else if (failure.kind === 'read-only') this.#wait('read-only', readOnlyRetryMs);
    else if (failure.kind === 'signed-out')
      this.#setPhase({ kind: 'waiting', reason: 'signed-out', retryAt: undefined });
    else if (failure.kind === 'locked') this.stop('locked', { holder: failure.holder });
    // Neither a merge nor a correction was possible.
    else if (failure.kind === 'stale' || failure.kind === 'invalid') this.stop('rejected', { error });
    else this.stop(failure.kind, { error });
  }

  /** @param ms by default 1, 2, 4 … 30 seconds */
  waitForConnection(ms = Math.min(maxRetryMs, firstRetryMs * 2 ** this.#failures)): void {
    this.#failures += 1;
    this.#wait('connection', ms);
  }

  stop(
    reason: StopReason,
    { error, holder }: { error?: unknown; holder?: LeaseHolder | undefined } = {},
  ): void {
    // The holder is known to the one who reports the loss first.
    if (this.reason === reason && !holder) return;
    this.#setPhase({ kind: 'stopped', reason, error, holder });
  }

  /** Goes on at once if saving waits or has stopped for one of these reasons. */
  resumeFrom(...reasons: readonly (WaitReason | StopReason)[]): void {
    if (!this.reason || !reasons.includes(this.reason)) return;
    this.#failures = 0;
    this.#resume();
  }

  /** Something of the status may have changed. */
  changed(): void {
    const status = this.#toStatus();
    if (isEqual(status, this.#status)) return;
    this.#status = status;
    this.#listeners.emit();
  }

  dispose(): void {
    this.#retry.cancel();
  }

  #wait(reason: WaitReason, ms: number): void {
    this.#setPhase({ kind: 'waiting', reason, retryAt: this.#options.clock.now() + ms });
    this.#retry.set(() => this.#resume(), ms);
  }

  #resume(): void {
    this.#setPhase({ kind: 'idle' });
    this.#options.onResumed();
  }

  #setPhase(phase: SavePhase): void {
    if (phase.kind !== 'waiting') this.#retry.cancel();
    this.#phase = phase;
    this.changed();
  }

  #toStatus(): SaveStatus {
    const { getSummary, writer } = this.#options;
    const { savedAt, merged } = writer;
    return toSaveStatus(getSummary(), { phase: this.#phase, savedAt, merged });
  }
}
