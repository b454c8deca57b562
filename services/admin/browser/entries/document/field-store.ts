import type { EntryField } from './entry-fields.js';
import { isEqual, isNormalisedFrom } from './equality.js';
import { ListenerSet } from './listener-set.js';
import type { FieldConflict } from './merge-conflict.js';
import { merge, type MergeResult } from './merge.js';
import {
  applyChoice,
  combineConflicts,
  type ChoiceOptions,
  type ConflictChoice,
} from './resolve-conflict.js';

/** What is wrong with a value: found here, or by the server. */
export interface FieldIssue {
  /** A reason that the panel has words for; absent for others. */
  code?: string;
  /** Key of the field, then rows and sub-fields, joined by dots. */
  path: string;
  /** The server's words, for reasons without own ones. */
  message?: string;
}

/**
 * `clean`: as on the server. `dirty`: changed. `invalid`: changed, and not sent. `conflict`: changed here and by
 * another editor, and not sent until the user has decided.
 */
export type FieldState = 'clean' | 'dirty' | 'invalid' | 'conflict';

export interface FieldSnapshot {
  /** As last read. */
  base: unknown;
  /** Null without a value. */
  value: unknown;
  state: FieldState;
  issues: readonly FieldIssue[];
  conflict: FieldConflict | undefined;
}

/** A field in the journal. */
export interface StoredField {
  base: unknown;
  value: unknown;
  conflict?: FieldConflict;
  /** Values of writes without a response. */
  sent: readonly unknown[];
}

export interface FieldStoreOptions extends Pick<ChoiceOptions, 'createKey'> {
  base: unknown;
  validate: (field: EntryField, value: unknown) => readonly FieldIssue[];
  /** Whether the entry is not yet on the server: then a required field counts before it is changed, too. */
  isNew: () => boolean;
  onChange: () => void;
}

/** `same`: nothing has changed on the screen. */
export type MergeOutcome = 'same' | 'merged' | 'conflict';

/** One field of a document. */
export class FieldStore {
  /** Values of writes that may have been executed. */
  readonly sent: unknown[] = [];
  readonly #listeners = new ListenerSet<[]>();
  readonly #options: FieldStoreOptions;
  #snapshot: FieldSnapshot;

  constructor(
    readonly field: EntryField,
    options: FieldStoreOptions,
  ) {
    this.#options = options;
    const base = options.base ?? null;
    this.#snapshot = this.#toSnapshot({ base, value: base, conflict: undefined }, this.#issuesOf(base, base));
  }

  get snapshot(): FieldSnapshot {
    return this.#snapshot;
  }

  subscribe(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** @returns false for the present value */
  set(input: unknown): boolean {
    const value = input ?? null;
    const { base, conflict, value: before } = this.#snapshot;
    if (isEqual(value, before)) return false;
    // With the value of the other side nothing is left to decide.
    this.#update({ base, value, conflict: isEqual(value, base) ? undefined : conflict });
    return true;
  }

  setIssues(issues: readonly FieldIssue[]): void {
    this.#replace(this.#toSnapshot(this.#snapshot, issues));
  }

  resolve(choice: ConflictChoice, path?: readonly string[]): void {
    const { base, value: before, conflict } = this.#snapshot;
    if (!conflict) return;
    let value = before;
    const open = conflict.items.filter((item) => {
      if (path && !isEqual(item.path, path)) return true;
      const { textSeparator } = this.field;
      const { createKey } = this.#options;
      const chosen = applyChoice(value, item, { choice, textSeparator, createKey });
      if (chosen) value = chosen.value;
      return !chosen;
    });
    this.#update({ base, value, conflict: open.length === 0 ? undefined : { ...conflict, items: open } });
  }

  /** Takes the stored form of a value that was sent. */
  accept({ sent, stored = null }: { sent: unknown; stored: unknown }): void {
    const { value, conflict } = this.#snapshot;
    this.sent.length = 0;
    this.#update({ base: stored, value: isEqual(value, sent) ? stored : value, conflict });
  }

  mergeTheirs(stored: unknown): MergeOutcome {
    const theirs = stored ?? null;
    const { base, value, conflict, issues } = this.#snapshot;
    const own = this.sent.find((sent) => isNormalisedFrom(theirs, sent));
    // A write whose response was lost: the value is not of another editor.
    if (own !== undefined) {
      this.#update({ base: theirs, value: isEqual(value, own) ? theirs : value, conflict });
      return 'same';
    }
    if (isEqual(theirs, base)) return 'same';
    const result = this.#merge(theirs);
    const { conflict: open } = result;
    const isSame = isEqual(result.value, value);
    this.#replace(
      this.#toSnapshot(
        { base: theirs, value: result.value, conflict: open },
        // Issues of the server are those of a value.
        isSame && !isEqual(value, theirs) ? issues : this.#issuesOf(theirs, result.value),
      ),
    );
    if (open) return 'conflict';
    return isSame ? 'same' : 'merged';
  }

  reset(stored: unknown): void {
    const base = stored ?? null;
    this.sent.length = 0;
    this.#update({ base, value: base, conflict: undefined });
  }

  store(): StoredField {
    const { base, value, conflict } = this.#snapshot;
    return { base, value, sent: [...this.sent], ...(conflict && { conflict }) };
  }

  restore({ base, value, conflict, sent }: StoredField): void {
    this.sent.push(...sent);
    this.#update({ base, value, conflict });
  }

  /** Finds the issues again: the entry is no longer new. */
  refresh(): void {
    const { base, value } = this.#snapshot;
    if (isEqual(base, value)) this.#update(this.#snapshot);
  }

  #merge(theirs: unknown): MergeResult {
    const { base, value, conflict } = this.#snapshot;
    // The rows of an open conflict have no keys by which they are found in another version.
    if (conflict && this.field.rules.kind === 'rows') {
      const items = [{ path: [], reason: 'both-changed' as const, mine: value, theirs }];
      return { value, conflict: { mine: value, theirs, items } };
    }
    const result = merge(base, value, theirs, this.field.rules);
    if (!conflict) return result;
    const open = combineConflicts(conflict, { ...result, theirs });
    return { value: result.value, ...(open && { conflict: open }) };
  }

  #update(next: Pick<FieldSnapshot, 'base' | 'value' | 'conflict'>): void {
    this.#replace(this.#toSnapshot(next, this.#issuesOf(next.base, next.value)));
  }

  #issuesOf(base: unknown, value: unknown): readonly FieldIssue[] {
    // What the server has is not judged here: rules may be younger than the value.
    if (!this.#options.isNew() && isEqual(base, value)) return [];
    return this.#options.validate(this.field, value);
  }

  #toSnapshot(
    { base, value, conflict }: Pick<FieldSnapshot, 'base' | 'value' | 'conflict'>,
    issues: readonly FieldIssue[],
  ): FieldSnapshot {
    const state = conflict
      ? 'conflict'
      : issues.length > 0
        ? 'invalid'
        : isEqual(base, value)
          ? 'clean'
          : 'dirty';
    return { base, value, state, issues, conflict };
  }

  #replace(next: FieldSnapshot): void {
    if (isEqual(next, this.#snapshot)) return;
    this.#snapshot = next;
    this.#listeners.emit();
    this.#options.onChange();
  }
}
