import type { Clock } from './clock.js';
import type { EntryDocument } from './entry-document.js';
import type { EntryValues } from './entry-fields.js';
import type { EntryRequests } from './entry-requests.js';
import { isEqual } from './equality.js';
import type { FieldIssue } from './field-store.js';
import type { MergeNotice } from './save-status.js';
import { toWriteFailure, type Editor, type WriteFailure } from './write-failure.js';

const revisionIntervalMs = 10 * 60_000;

/** A creation without a response: it is repeated with the same key and values. */
export interface PendingCreation {
  idempotencyKey: string;
  values: EntryValues;
}

export interface EntryWriterOptions {
  document: EntryDocument;
  requests: EntryRequests;
  clock: Clock;
  /** Undefined for a new entry. */
  id?: string | undefined;
  createIdempotencyKey: () => string;
  /** From the journal. */
  creation?: PendingCreation | undefined;
  onCreated?: (id: string) => void;
}

/**
 * `merged`: another change came first, and the document has it now. `corrected`: the invalid fields are kept back, and
 * the others can be sent.
 */
export type WriteOutcome =
  { kind: 'written' | 'merged' | 'corrected' } | { kind: 'failed'; failure: WriteFailure; error: unknown };

/** Sends values of a document and takes what the server makes of them. One request at a time. */
export class EntryWriter {
  readonly #options: EntryWriterOptions;
  #id: string | undefined;
  #creation: PendingCreation | undefined;
  #wantsRevision = false;
  #lastRevisionAt = -Infinity;
  #savedAt: number | undefined;
  #merged: MergeNotice | undefined;

  constructor(options: EntryWriterOptions) {
    this.#options = options;
    this.#id = options.id;
    this.#creation = options.creation;
  }

  /** Undefined before the entry is created. */
  get id(): string | undefined {
    return this.#id;
  }

  get creation(): PendingCreation | undefined {
    return this.#creation;
  }

  get savedAt(): number | undefined {
    return this.#savedAt;
  }

  /** The last change of another editor; undefined after `dismissMerged`. */
  get merged(): MergeNotice | undefined {
    return this.#merged;
  }

  dismissMerged(): void {
    this.#merged = undefined;
  }

  /** The next write adds a revision, and does not replace the draft revision. */
  requestRevision(): void {
    this.#wantsRevision = true;
  }

  /** Creates the entry, with the values of the first attempt. */
  async create({ keepalive }: { keepalive: boolean }): Promise<WriteOutcome> {
    const { document, requests, createIdempotencyKey, onCreated } = this.#options;
    this.#creation ??= { idempotencyKey: createIdempotencyKey(), values: document.pendingValues() };
    const { idempotencyKey, values } = this.#creation;
    return this.#attempt(values, async () => {
      const created = await requests.create(values, { idempotencyKey, keepalive });
      this.#id = created.id;
      this.#creation = undefined;
      document.acceptWrite(created, values);
      onCreated?.(created.id);
    });
  }

  /** Writes changed values of an entry that exists. */
  async update(
    id: string,
    values: EntryValues,
    { keepalive }: { keepalive: boolean },
  ): Promise<WriteOutcome> {
    const { document, requests, clock } = this.#options;
    const wantsRevision = this.#wantsRevision;
    const addsRevision = wantsRevision || clock.now() - this.#lastRevisionAt >= revisionIntervalMs;
    this.#wantsRevision = false;
    const outcome = await this.#attempt(values, async () => {
      const options = { rev: document.rev ?? '', skipRevision: !addsRevision, keepalive };
      document.acceptWrite(await requests.update(id, values, options), values);
      if (addsRevision) this.#lastRevisionAt = clock.now();
    });
    if (outcome.kind !== 'written') this.#wantsRevision ||= wantsRevision;
    return outcome;
  }

  /** Finds out whether a write without a response was executed. */
  async confirm(): Promise<WriteOutcome> {
    const { document } = this.#options;
    const { rev } = document;
    const outcome = await this.mergeNewest(null);
    if (outcome.kind === 'merged' && document.rev === rev) document.forgetUnconfirmed();
    return outcome;
  }

  /** Reads the entry and merges it into the document. */
  async mergeNewest(editedBy: Editor | null): Promise<WriteOutcome> {
    const { document, requests, clock } = this.#options;
    try {
      const { merged } = document.mergeVersion(await requests.read(this.#id ?? ''));
      // The draft revision may be the other editor's: it stays.
      this.#wantsRevision = true;
      if (merged.length > 0) this.#merged = { by: editedBy, fields: merged, at: clock.now() };
      return { kind: 'merged' };
    } catch (error) {
      return { kind: 'failed', failure: toWriteFailure(error), error };
    }
  }

  async #attempt(values: EntryValues, write: () => Promise<void>): Promise<WriteOutcome> {
    const { document, clock } = this.#options;
    document.markSent(values);
    try {
      await write();
      this.#savedAt = clock.now();
      return { kind: 'written' };
    } catch (error) {
      const failure = toWriteFailure(error);
      // It may have been executed: the values stay marked as sent, and a creation is repeated as it was.
      if (failure.kind === 'connection') return { kind: 'failed', failure, error };
      document.forgetSent(values);
      if (failure.kind !== 'read-only' && failure.kind !== 'signed-out') this.#creation = undefined;
      if (failure.kind === 'stale' && this.#id !== undefined) return this.mergeNewest(failure.editedBy);
      if (failure.kind === 'invalid' && this.#markInvalid(failure.issues, values))
        return { kind: 'corrected' };
      return { kind: 'failed', failure, error };
    }
  }

  /** @returns whether a field is named: then the others can be sent without it */
  #markInvalid(issues: readonly FieldIssue[], sent: EntryValues): boolean {
    const { document } = this.#options;
    let isNamed = false;
    for (const { key } of document.fields) {
      const own = issues.filter(({ path }) => isPathOf(path, key));
      // A creation also needs fields that were not sent.
      if (own.length === 0 || (!sent.has(key) && this.#id !== undefined)) continue;
      isNamed = true;
      // A value that has moved on since may be valid.
      if (!sent.has(key) || isEqual(document.getSnapshot(key).value, sent.get(key)))
        document.setInvalid(key, own);
    }
    return isNamed;
  }
}

/** Whether the path of an issue, with or without the part of the body, is below a field. */
function isPathOf(path: string, key: string): boolean {
  const starts = [key, key.replace(/^@/, ''), `data.${key}`, `references.${key}`];
  return starts.some((start) => path === start || path.startsWith(`${start}.`));
}
