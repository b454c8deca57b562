import { ApiError } from '@quire/api-client';
import type { EntryVersion } from './entry-document.js';
import type { EntryValues } from './entry-fields.js';
import type { EntryRequests } from './entry-requests.js';
import type { FakeClock } from './fake-clock.fixture.js';

/** What happens to a request: an error instead of its execution, or a lost or late response. */
export interface Fault {
  delayMs?: number;
  /** Before the execution. */
  error?: Error;
  /** After the execution. */
  lostResponse?: boolean;
  responseDelayMs?: number;
}

interface Revision {
  user: string;
  values: Map<string, unknown>;
}

interface StoredEntry {
  version: number;
  values: Map<string, unknown>;
  revisions: Revision[];
  editedBy: string;
}

export const networkError = () => new ApiError({ status: 0, code: 'NETWORK_ERROR', message: 'cut' });
export const apiError = (status: number, code: string, details: Record<string, unknown> = {}) =>
  new ApiError({ status, code, message: code, details });

/** The content service in memory: versions, draft revisions, leases, required fields, keys of creations. */
export class FakeServer {
  readonly entries = new Map<string, StoredEntry>();
  /** Each executed write. */
  readonly writes: { user: string; keys: string[]; skipRevision: boolean; keepalive: boolean }[] = [];
  /** Revisions of another user that a write has replaced: there must be none. */
  readonly replacedRevisions: Revision[] = [];
  /** Errors of all requests: of a site in read-only mode, for example. */
  outage: (() => Error) | undefined;
  /** User id of the holder of the lease. */
  lease: string | undefined;
  required: readonly string[] = ['title'];
  #ids = 0;
  readonly #creations = new Map<string, { id: string; request: string }>();

  constructor(readonly clock: FakeClock) {}

  /** An id that no other call returns. */
  createId(): string {
    this.#ids += 1;
    return `id${this.#ids}`;
  }

  /** All that the server has ever stored and keeps, for the laws of the loss suite. */
  get stored(): unknown[] {
    return [...this.entries.values()].flatMap(({ values, revisions }) => [
      [...values.values()],
      ...revisions.map((revision) => [...revision.values.values()]),
    ]);
  }

  addEntry(id: string, values: Record<string, unknown>): void {
    const stored = new Map(Object.entries(values));
    this.entries.set(id, { version: 1, values: stored, revisions: [], editedBy: 'setup' });
  }

  version(id: string): EntryVersion {
    const { version, values } = this.#entry(id);
    return { rev: `rev${version}`, values: new Map(values) };
  }

  value(id: string, key: string): unknown {
    return this.#entry(id).values.get(key);
  }

  publish(id: string, rev: string): EntryVersion {
    this.#assertCurrent(this.#entry(id), rev);
    this.#entry(id).version += 1;
    return this.version(id);
  }

  /** The requests of a user's tab. @param nextFault what happens to the next request */
  requestsOf(
    user: string,
    nextFault: (name: 'read' | 'create' | 'update') => Fault | undefined,
  ): EntryRequests {
    const send = async <Result>(
      name: 'read' | 'create' | 'update',
      execute: () => Result,
    ): Promise<Result> => {
      const { delayMs = 0, error, lostResponse = false, responseDelayMs = 0 } = nextFault(name) ?? {};
      await this.clock.sleep(delayMs);
      const failure = error ?? this.outage?.();
      if (failure) throw failure;
      const result = execute();
      await this.clock.sleep(responseDelayMs);
      if (lostResponse) throw networkError();
      return result;
    };
    return {
      read: (id) => send('read', () => this.version(id)),
      create: (values, { idempotencyKey }) =>
        send('create', () => this.#create(user, values, idempotencyKey)),
      update: (id, values, options) => send('update', () => this.#update(user, id, { values, ...options })),
    };
  }

  #create(user: string, values: EntryValues, key: string) {
    const request = JSON.stringify([...values]);
    const former = this.#creations.get(key);
    if (former && former.request !== request) throw apiError(409, 'IDEMPOTENCY_CONFLICT');
    this.#assertValid(values, true);
    const id = former?.id ?? `entry${this.entries.size + 1}`;
    if (!former) this.entries.set(id, { version: 1, values: new Map(values), revisions: [], editedBy: user });
    this.#creations.set(key, { id, request });
    return { ...this.version(id), id };
  }

  #update(
    user: string,
    id: string,
    write: { values: EntryValues; rev: string; skipRevision: boolean; keepalive: boolean },
  ): EntryVersion {
    const { values, rev, skipRevision, keepalive } = write;
    const entry = this.#entry(id);
    if (this.lease !== undefined && this.lease !== user)
      throw apiError(409, 'ENTRY_LOCKED', { userId: this.lease, userName: null });
    this.#assertCurrent(entry, rev);
    this.#assertValid(values, false);
    for (const [key, value] of values) entry.values.set(key, value);
    entry.version += 1;
    entry.editedBy = user;
    const replaced = skipRevision ? entry.revisions.pop() : undefined;
    if (replaced && replaced.user !== user) this.replacedRevisions.push(replaced);
    entry.revisions.push({ user, values: new Map(entry.values) });
    this.writes.push({ user, keys: [...values.keys()], skipRevision, keepalive });
    return this.version(id);
  }

  #assertCurrent({ version, editedBy }: StoredEntry, rev: string): void {
    if (rev !== `rev${version}`)
      throw apiError(409, 'CONFLICT', { editedBy: { id: editedBy, name: null }, editedAt: '' });
  }

  #assertValid(values: EntryValues, isCreation: boolean): void {
    const checked = isCreation ? this.required : this.required.filter((key) => values.has(key));
    const issues = checked.filter((key) => !values.get(key)).map((path) => ({ path, code: 'required' }));
    for (const [path, value] of values)
      if (String(value).includes('bad')) issues.push({ path, code: 'pattern' });
    if (issues.length > 0) throw apiError(400, 'VALIDATION_ERROR', { issues });
  }

  #entry(id: string): StoredEntry {
    const entry = this.entries.get(id);
    if (!entry) throw apiError(404, 'NOT_FOUND');
    return entry;
  }
}
