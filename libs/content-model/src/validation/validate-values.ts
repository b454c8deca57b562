import {
  ValidationContext,
  isPlainObject,
  type InputOptions,
  type MediaUse,
  type ReferenceUse,
  type ValueOrigin,
  type WriteMode,
} from '../fields/validation-context.js';
import { validationMessages, type ValueIssue } from '../fields/issues.js';
import { checkRecord } from '../fields/record.js';
import type { CompiledFields } from './compile-fields.js';

export interface ValidationOptions extends InputOptions {
  /** `seed` for seeds, plugin updates and imports (document 3, `url` rules); absent: `api`. */
  origin?: ValueOrigin;
  /** The values stored before this write; stored blocks of retired types stay valid in a blocks field. */
  stored?: Readonly<Record<string, unknown>>;
  /** The submitted JSON text of a field's value, which `json` fields store; absent: the text of the parsed value. */
  submittedText?: ((fieldSlug: string) => string | undefined) | undefined;
}

export interface ValidatedValues {
  /** The normalised values to store, by field slug, without prototype. Valid only when there are no issues. */
  values: Record<string, unknown>;
  /** All problems, in the order of the submitted keys and then of the missing fields. */
  issues: ValueIssue[];
  /** Images and files; the caller looks up the items of the media library, see `resolveMediaItem`. */
  media: MediaUse[];
  /** Ids whose existence the caller has to check. */
  references: ReferenceUse[];
}

/**
 * Checks and normalises the values of an entry (document 3, field types; sheet import-and-fields, 4.2 to 4.5).
 * @param compiled the collection's fields
 * @param data the values by field slug; keys starting with `_` are ignored
 * @param mode `create` fills defaults and requires all required fields; `update` checks only submitted values;
 *   `publish` takes a whole stored draft, requires all required fields, and leaves out values of fields that no longer
 *   exist
 * @returns the values and all issues; invalid values do not throw
 */
export function validateValues(
  compiled: CompiledFields,
  data: unknown,
  mode: WriteMode,
  options: ValidationOptions = {},
): ValidatedValues {
  const context = new ValidationContext(
    mode,
    options.origin ?? 'api',
    options.stored ?? {},
    options.submittedText,
    options,
  );
  let values: Record<string, unknown> = {};
  if (isPlainObject(data)) {
    values = checkRecord(compiled, data, {
      path: '',
      context,
      rules: {
        isWhole: mode !== 'update',
        fillsDefaults: mode === 'create',
        dropsUnknown: mode === 'publish',
        ignoresReserved: true,
      },
    });
  } else {
    context.addIssue('', validationMessages.type('object'));
  }
  return { values, issues: context.issues, media: context.media, references: context.references };
}
