import type { CheckedField } from './field-definition.js';
import type { FieldType } from './field-types.js';
import type { IssueReason, ValueIssue } from './issues.js';

/** Bounds the error response of a body with many unknown keys. */
const maxIssues = 500;
const maxPathLength = 300;

/** `update` checks only submitted values, `publish` a whole stored draft. */
export type WriteMode = 'create' | 'update' | 'publish';

/** The origin of values: seeds and imports may have scheme-less URLs and naive times, which are UTC. */
export type ValueOrigin = 'api' | 'seed';

/** An image or file in the values; the caller checks it against the media library. */
export interface MediaUse {
  path: string;
  type: 'image' | 'file';
  /** The object inside the returned values; the caller completes it before it is stored. */
  value: Record<string, unknown>;
  /** Exact types in lower case; null when the field takes any. */
  allowedMimeTypes: readonly string[] | null;
}

/** Ids in an unbound reference field, with the collection that must have them. */
export interface ReferenceUse {
  path: string;
  collection: string;
  ids: readonly string[];
}

/** How the blocks of blocks fields are taken; without options as they are submitted. */
export interface BlockOptions {
  /** Every block gets the active version of its type. */
  migrates?: boolean | undefined;
  /**
   * The blocks are new ones: a missing key is generated, a missing version is the active one, and retired types are not
   * accepted.
   */
  replaces?: boolean | undefined;
  /** Null is an error instead of the empty list. */
  requiresList?: boolean | undefined;
}

/** What a validation accepts beyond the values of a field's type. */
export interface InputOptions {
  /** Converts a text that is given for rich text, or says why it does not; without it a text is an error. */
  parseRichText?: ((text: string) => { blocks: unknown[] } | { problem: string }) | undefined;
  blocks?: BlockOptions | undefined;
}

/** One validation of a set of values: the issues, and the media and references that the caller has to look up. */
export class ValidationContext {
  readonly issues: ValueIssue[] = [];
  readonly media: MediaUse[] = [];
  readonly references: ReferenceUse[] = [];

  constructor(
    readonly mode: WriteMode,
    readonly origin: ValueOrigin,
    /** The values stored before this write, for rules that exempt stored values. */
    readonly stored: Readonly<Record<string, unknown>>,
    /**
     * The submitted JSON text of a field's value, by the field's slug; undefined for a value that was not submitted.
     */
    readonly submittedText: (fieldSlug: string) => string | undefined = () => undefined,
    readonly input: InputOptions = {},
  ) {}

  addIssue(path: string, reason: IssueReason): void {
    if (this.issues.length < maxIssues) {
      this.issues.push({ path: path.slice(0, maxPathLength), code: reason.code, message: reason.message });
    }
  }
}

/**
 * Checks one value that is neither null nor undefined and returns its normalised form. Issues are added to the context;
 * the result of an invalid value is not used.
 */
export type FieldValidator = (value: unknown, path: string, context: ValidationContext) => unknown;

/** A field compiled for the validation of many values. */
export interface CompiledField {
  slug: string;
  type: FieldType;
  isRequired: boolean;
  /** False for a relation-bound reference, whose links are not part of `data`. */
  hasColumn: boolean;
  /** The value for an absent one on create; null when the field has no default. */
  defaultValue: unknown;
  /** Whether null is stored as an empty list, as for a blocks field, instead of as null. */
  isEmptyList: boolean;
  check: FieldValidator;
}

/** A set of fields that describes one object: an entry, a repeater row or a block. */
export interface CompiledRecord {
  /** The collection, repeater field or block type the fields belong to, as named in messages. */
  owner: string;
  fields: ReadonlyMap<string, CompiledField>;
}

/** Creates the validator of one field; it does expensive work such as compiling a pattern once. */
export type FieldValidatorFactory = (field: CheckedField) => FieldValidator;

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
