import type { ApiClient, Schemas } from '@quire/api-client';
import { SingleTimer, type Clock } from './clock.js';
import { isEqual } from './equality.js';
import { ListenerSet } from './listener-set.js';
import { toWriteFailure, type LeaseHolder } from './write-failure.js';

/** A lease lasts seven minutes: three renewals fit into it. */
const renewalMs = 2 * 60_000;
const retryMs = 15_000;

export type LockStatus = Schemas['LockStatus'];

/** The requests of a lease; tests have their own server. */
export interface LeaseRequests {
  acquire(id: string, options: { token: string; takeover: boolean }): Promise<LockStatus>;
  /** Outlives the page. */
  release(id: string, options: { token: string }): Promise<unknown>;
}

/**
 * `unknown`: the server could not be asked; writes are tried, and it refuses them if another user holds the lease.
 * `other`: another user had the lease before the first edit here. `lost`: another user has taken it over.
 */
export type LeaseState =
  | { kind: 'none' | 'acquiring' | 'held' | 'disabled' | 'unknown' }
  | { kind: 'other' | 'lost'; holder: LeaseHolder | undefined };

export interface EntryLeaseOptions {
  requests: LeaseRequests;
  clock: Clock;
  /** Names this tab: other tabs of the user keep the lease when this one releases it. */
  token: string;
  /** Undefined until a new entry is created. */
  id?: string | undefined;
  /** Another user holds the lease: saving stops. */
  onLost: (holder: LeaseHolder | undefined) => void;
  /** The lease is the user's again: saving goes on. */
  onRegained: () => void;
}

/** The requests for leases on the entries of a collection. */
export function createLeaseRequests(api: ApiClient, collection: string): LeaseRequests {
  return {
    acquire: (id, body) => api.call('acquireEntryLock', { params: { collection, id }, body }),
    release: (id, query) =>
      api.call('releaseEntryLock', { params: { collection, id }, query, keepalive: true }),
  };
}

/** The edit lease of one tab on an entry: acquired at the first edit, renewed, and released when the page is left. */
export class EntryLease {
  readonly #options: EntryLeaseOptions;
  readonly #timer: SingleTimer;
  readonly #listeners = new ListenerSet<[]>();
  #id: string | undefined;
  #state: LeaseState = { kind: 'none' };
  #request: Promise<void> | undefined;
  /** Grows when the page is left: late responses of requests before are ignored. */
  #session = 0;

  constructor(options: EntryLeaseOptions) {
    this.#options = options;
    this.#id = options.id;
    this.#timer = new SingleTimer(options.clock);
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  /** The same object until it changes. */
  readonly getState = (): LeaseState => this.#state;

  /** The entry was created: it can be leased now. */
  setId(id: string): void {
    this.#id = id;
    this.acquire();
  }

  /** At each edit: acquires the lease at the first one. Typing never waits for it. */
  acquire(): void {
    if (this.#state.kind === 'none' && this.#id !== undefined) void this.#acquire({ takeover: false });
  }

  /** For the saver: waits for the first response. @returns false if another user holds the lease */
  readonly isHeld = async (): Promise<boolean> => {
    this.acquire();
    if (this.#state.kind === 'acquiring') await this.#request;
    return this.#state.kind !== 'other' && this.#state.kind !== 'lost';
  };

  /** For the saver: a write was refused. */
  readonly markLost = (holder: LeaseHolder | undefined): void => {
    this.#lose(holder);
  };

  /** Takes the lease over, after the user has confirmed it. @returns whether it is held now */
  async takeBack(): Promise<boolean> {
    await this.#request;
    await this.#acquire({ takeover: true });
    const isHeld = this.#state.kind === 'held' || this.#state.kind === 'disabled';
    if (isHeld) this.#options.onRegained();
    return isHeld;
  }

  /** When the page is left, or the entry is closed. */
  release(): void {
    const { requests, token } = this.#options;
    const isOwn =
      this.#state.kind === 'held' || this.#state.kind === 'acquiring' || this.#state.kind === 'unknown';
    this.#session += 1;
    this.#timer.cancel();
    this.#setState({ kind: 'none' });
    if (!isOwn || this.#id === undefined) return;
    // Without a response the lease ends by itself.
    requests.release(this.#id, { token }).catch(() => undefined);
  }

  #acquire({ takeover }: { takeover: boolean }): Promise<void> {
    if (this.#state.kind === 'none') this.#setState({ kind: 'acquiring' });
    const { requests, token } = this.#options;
    const session = this.#session;
    this.#request = requests
      .acquire(this.#id ?? '', { token, takeover })
      .then(
        (status) => () => this.#take(status),
        (error: unknown) => () => this.#fail(error),
      )
      .then((apply) => {
        if (session === this.#session) apply();
      });
    return this.#request;
  }

  #take({ enabled, heldByCaller, holder }: LockStatus): void {
    if (!enabled) {
      this.#setState({ kind: 'disabled' });
      return;
    }
    if (!heldByCaller) {
      this.#lose(holder ?? undefined);
      return;
    }
    this.#setState({ kind: 'held' });
    this.#schedule(renewalMs);
  }

  #fail(error: unknown): void {
    if (this.#state.kind === 'acquiring') this.#setState({ kind: 'unknown' });
    const { kind } = toWriteFailure(error);
    // Other errors are those of the next write, which reports them.
    if (kind === 'connection' || kind === 'read-only') this.#schedule(retryMs);
    else if (this.#state.kind === 'held' || this.#state.kind === 'unknown') this.#schedule(renewalMs);
  }

  #schedule(ms: number): void {
    if (this.#state.kind !== 'lost' && this.#state.kind !== 'other')
      this.#timer.set(() => void this.#acquire({ takeover: false }), ms);
  }

  #lose(holder: LeaseHolder | undefined): void {
    this.#timer.cancel();
    const wasHeld = this.#state.kind === 'held' || this.#state.kind === 'lost';
    this.#setState({ kind: wasHeld ? 'lost' : 'other', holder });
    this.#options.onLost(holder);
  }

  #setState(state: LeaseState): void {
    if (isEqual(state, this.#state)) return;
    this.#state = state;
    this.#listeners.emit();
  }
}
