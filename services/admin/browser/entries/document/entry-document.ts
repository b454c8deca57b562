import { isEmptyValue, type EntryField, type EntryValues } from './entry-fields.js';
import { FieldStore, type FieldIssue, type FieldSnapshot, type StoredField } from './field-store.js';
import { ListenerSet } from './listener-set.js';
import type { ChoiceOptions, ConflictChoice } from './resolve-conflict.js';

/** An entry as the server has it. Values of absent keys are those from before. */
export interface EntryVersion {
  rev: string;
  values: EntryValues;
}

/** The keys of the fields that need something, in the order of the fields. */
export interface DocumentSummary {
  /** Changed and ready to be sent. */
  dirty: readonly string[];
  /** Changed, and kept back until they are valid. */
  invalid: readonly string[];
  conflict: readonly string[];
}

export interface DocumentOptions extends Pick<ChoiceOptions, 'createKey'> {
  fields: readonly EntryField[];
  values: EntryValues;
  /** Undefined for an entry that is not yet on the server. */
  rev?: string | undefined;
  /** The issues of a value beside a missing required one; the server remains the judge. */
  validate?: (field: EntryField, value: unknown) => readonly FieldIssue[];
}

/** Fields that a merge has changed on the screen. */
export interface MergeReport {
  merged: readonly string[];
  conflict: readonly string[];
}

/**
 * An entry in the editor: for each field the value that was last read and the user's own, what is wrong with it, and
 * what another editor has made of it. Fields are subscribed to one by one.
 */
export class EntryDocument {
  readonly #fields: ReadonlyMap<string, FieldStore>;
  readonly #listeners = new ListenerSet<[]>();
  readonly #editListeners = new ListenerSet<[key: string]>();
  #rev: string | undefined;
  #summary: DocumentSummary | undefined;

  constructor({ fields, values, rev, validate = () => [], createKey }: DocumentOptions) {
    this.#rev = rev;
    const validated = (field: EntryField, value: unknown): readonly FieldIssue[] =>
      field.isRequired && isEmptyValue(value, field)
        ? [{ code: 'required', path: field.key }]
        : validate(field, value);
    this.#fields = new Map(
      fields.map((field) => [
        field.key,
        new FieldStore(field, {
          base: values.get(field.key),
          validate: validated,
          createKey,
          isNew: () => this.#rev === undefined,
          onChange: () => this.#changed(),
        }),
      ]),
    );
  }

  /** The version that the base values are of; undefined before the entry is created. */
  get rev(): string | undefined {
    return this.#rev;
  }

  /** All fields, in order. */
  get fields(): readonly EntryField[] {
    return [...this.#fields.values()].map(({ field }) => field);
  }

  /** For `useSyncExternalStore`: calls the listener when the snapshot of a field changes. */
  readonly subscribe = (key: string, listener: () => void): (() => void) =>
    this.#field(key).subscribe(listener);

  /** The state of a field; the same object until something of it changes. */
  readonly getSnapshot = (key: string): FieldSnapshot => this.#field(key).snapshot;

  /** Calls the listener when the summary may have changed. */
  readonly subscribeAll = (listener: () => void): (() => void) => this.#listeners.add(listener);

  /** Fields by their state; the same object until one changes. */
  readonly getSummary = (): DocumentSummary => {
    const keysOf = (state: FieldSnapshot['state']) =>
      [...this.#fields].filter(([, field]) => field.snapshot.state === state).map(([key]) => key);
    this.#summary ??= { dirty: keysOf('dirty'), invalid: keysOf('invalid'), conflict: keysOf('conflict') };
    return this.#summary;
  };

  /** Calls the listener after each edit of the user: a new value, or a decision of a conflict. */
  onEdit(listener: (key: string) => void): () => void {
    return this.#editListeners.add(listener);
  }

  /** Sets the user's value of a field. Issues of the former value are gone with it. */
  set(key: string, value: unknown): void {
    if (this.#field(key).set(value)) this.#editListeners.emit(key);
  }

  /** Keeps the value of a field back until it changes. */
  setInvalid(key: string, issues: readonly FieldIssue[]): void {
    this.#field(key).setIssues(issues);
  }

  /**
   * Decides a conflict.
   * @param path of one part; by default all parts of the field
   * @returns whether nothing is left to decide in the field
   */
  resolve(key: string, choice: ConflictChoice, path?: readonly string[]): boolean {
    const field = this.#field(key);
    field.resolve(choice, path);
    this.#editListeners.emit(key);
    return field.snapshot.conflict === undefined;
  }

  /** The values that can be sent: changed and valid ones without a conflict; of a new entry all that there are. */
  pendingValues(): Map<string, unknown> {
    const isPending = ({ state, value }: FieldSnapshot) =>
      state === 'dirty' || (this.#rev === undefined && state === 'clean' && value !== null);
    const pending = [...this.#fields].filter(([, { snapshot }]) => isPending(snapshot));
    return new Map(pending.map(([key, { snapshot }]) => [key, snapshot.value]));
  }

  /** Whether a value may be on the server although no response has said so. */
  hasUnconfirmed(): boolean {
    return [...this.#fields.values()].some((field) => field.sent.length > 0);
  }

  /** Notes values that are about to be sent: a version that is read later may have them. */
  markSent(values: EntryValues): void {
    for (const [key, value] of values) this.#field(key).sent.push(value);
  }

  /** Removes the values of a write that the server has not executed. */
  forgetSent(values: EntryValues): void {
    for (const key of values.keys()) this.#field(key).sent.pop();
  }

  /** Takes the response of a write. Fields whose value has moved on since keep it, and are sent again. */
  acceptWrite(version: EntryVersion, sent: EntryValues): void {
    for (const [key, value] of sent)
      this.#field(key).accept({
        sent: value,
        stored: version.values.has(key) ? version.values.get(key) : value,
      });
    const rest = [...version.values].filter(([key]) => !sent.has(key));
    this.mergeVersion({ rev: version.rev, values: new Map(rest) });
  }

  /** Merges a version that was read, or was changed by another request. */
  mergeVersion({ rev, values }: EntryVersion): MergeReport {
    const results = [...values]
      .filter(([key]) => this.#fields.has(key))
      .map(([key, value]) => ({ key, result: this.#field(key).mergeTheirs(value) }));
    // A write with a former version can no longer succeed.
    if (rev !== this.#rev) this.forgetUnconfirmed();
    this.#setRev(rev);
    const keysOf = (wanted: string) =>
      results.filter(({ result }) => result === wanted).map(({ key }) => key);
    return { merged: keysOf('merged'), conflict: keysOf('conflict') };
  }

  /** Takes a version without the user's changes: after they were discarded. */
  reset({ rev, values }: EntryVersion): void {
    for (const [key, field] of this.#fields)
      field.reset(values.has(key) ? values.get(key) : field.snapshot.base);
    this.#setRev(rev);
  }

  /** The fields with something that the server does not have, for the journal. */
  unsentFields(): Map<string, StoredField> {
    const unsent = [...this.#fields].filter(
      ([, field]) => field.snapshot.state !== 'clean' || field.sent.length > 0,
    );
    return new Map(unsent.map(([key, field]) => [key, field.store()]));
  }

  /** Takes fields from the journal, as they were with a version of the entry. */
  restore({ rev, fields }: { rev: string | undefined; fields: ReadonlyMap<string, StoredField> }): void {
    const known = [...fields].filter(([key]) => this.#fields.has(key));
    this.#rev = rev;
    for (const [key, field] of known) this.#field(key).restore(field);
    for (const [key] of known) this.#editListeners.emit(key);
  }

  /** Gives up to find out whether writes without a response were executed. */
  forgetUnconfirmed(): void {
    for (const field of this.#fields.values()) field.sent.length = 0;
  }

  #setRev(rev: string): void {
    const isCreated = this.#rev === undefined;
    this.#rev = rev;
    // Empty required fields were issues of a new entry only.
    if (isCreated) for (const field of this.#fields.values()) field.refresh();
    this.#changed();
  }

  #field(key: string): FieldStore {
    const field = this.#fields.get(key);
    if (!field) throw new TypeError(`The document has no field ${key}`);
    return field;
  }

  #changed(): void {
    this.#summary = undefined;
    this.#listeners.emit();
  }
}
