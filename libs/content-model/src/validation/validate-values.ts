import {
  ValidationContext,
  isPlainObject,
  type MediaUse,
  type ReferenceUse,
  type ValueOrigin,
  type WriteMode,
} from '../fields/validation-context.js';
import { validationMessages, type ValueIssue } from '../fields/issues.js';
import { checkRecord } from '../fields/record.js';
import type { CompiledFields } from './compile-fields.js';

export interface ValidationOptions {
  /** `seed` for seeds, plugin updates and imports (document 3, `url` rules); absent: `api`. */
  origin?: ValueOrigin;
  /** The values stored before this write; a blocks field spares blocks of retired types that are already there. */
  stored?: Readonly<Record<string, unknown>>;
  /**
   * The JSON that a field's value was sent as, which `json` fields keep; absent: what JavaScript makes of the value.
   */
  submittedText?: ((fieldSlug: string) => string | undefined) | undefined;
}

export interface ValidatedValues {
  /** The normalised values to store, by field slug, on no prototype. Only of use when there are no issues. */
  values: Record<string, unknown>;
  /** All problems together, in the order of the sent keys and then of the missing fields. */
  issues: ValueIssue[];
  /** Images and files; of those of the media library the caller looks up the items, see `resolveMediaItem`. */
  media: MediaUse[];
  /** Ids whose existence the caller must check. */
  references: ReferenceUse[];
}

/**
 * Checks and normalises the values of an entry (document 3, field types; sheet import-and-fields, 4.2 to 4.5).
 * @param compiled the collection's fields
 * @param data the values by field slug; keys starting with `_` are ignored
 * @param mode `create` fills defaults and wants all required fields; `update` checks only what is sent; `publish` takes
 *   a whole stored draft, wants all required fields, and leaves out values of fields that no longer exist
 * @returns the values and every issue; it does not throw on bad values
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
