import type { CheckedField } from './field-definition.js';
import type { FieldType } from './field-types.js';
import type { IssueReason, ValueIssue } from './issues.js';

/** A body full of wrong keys must not be answered with a body of the same size. */
const maxIssues = 500;
const maxPathLength = 300;

/** Which write is checked: `update` checks only what is sent, `publish` checks a stored draft as a whole. */
export type WriteMode = 'create' | 'update' | 'publish';

/** Where values come from: seeds and imports keep scheme-less urls and read naive times as UTC. */
export type ValueOrigin = 'api' | 'seed';

/** An image or file found in the values; the caller holds it against the media library. */
export interface MediaUse {
  path: string;
  type: 'image' | 'file';
  /** The object inside the returned values; what the caller fills in here is what will be stored. */
  value: Record<string, unknown>;
  /** Exact types in lower case; null when the field takes any. */
  allowedMimeTypes: readonly string[] | null;
}

/** Ids found in an unbound reference field that names the collection they should exist in. */
export interface ReferenceUse {
  path: string;
  collection: string;
  ids: readonly string[];
}

/** One pass over a set of values: what was found wrong, and what the caller still has to look up. */
export class ValidationContext {
  readonly issues: ValueIssue[] = [];
  readonly media: MediaUse[] = [];
  readonly references: ReferenceUse[] = [];

  constructor(
    readonly mode: WriteMode,
    readonly origin: ValueOrigin,
    /** The values stored before this write, for rules that spare what is already there. */
    readonly stored: Readonly<Record<string, unknown>>,
    /** The JSON that a field's value was sent as, by the field's slug; undefined for a value that was not sent. */
    readonly submittedText: (fieldSlug: string) => string | undefined = () => undefined,
  ) {}

  addIssue(path: string, reason: IssueReason): void {
    if (this.issues.length < maxIssues) {
      this.issues.push({ path: path.slice(0, maxPathLength), code: reason.code, message: reason.message });
    }
  }
}

/**
 * Checks one value that is neither null nor undefined and returns its normalised form;
 * problems go to the context, and what is returned beside a problem is not used.
 */
export type FieldValidator = (value: unknown, path: string, context: ValidationContext) => unknown;

/** A field made ready for checking many values. */
export interface CompiledField {
  slug: string;
  type: FieldType;
  isRequired: boolean;
  /** False for a relation-bound reference, whose links are not part of `data`. */
  hasColumn: boolean;
  /** Fills an absent value on create; null when the field has no default. */
  defaultValue: unknown;
  /** What null is stored as: a blocks field is emptied, everything else is cleared. */
  isEmptyList: boolean;
  check: FieldValidator;
}

/** A set of fields that describes one object: an entry, a repeater row or a block. */
export interface CompiledRecord {
  /** The collection, repeater field or block type the fields belong to, as named in messages. */
  owner: string;
  fields: ReadonlyMap<string, CompiledField>;
}

/** Makes the checker of one field; expensive work such as compiling a pattern happens here, once. */
export type FieldValidatorFactory = (field: CheckedField) => FieldValidator;

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
