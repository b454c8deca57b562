import { compileFields, completeFieldDefinition, validateValues, type WriteMode } from '@quire/content-model';
import { invalidInput } from '@quire/errors';
import type { BylineFieldType } from './byline-field.entity.js';
import type { StoredBylineField } from './byline-fields.repository.js';
import type { CustomValues } from './byline.entity.js';
import type { CustomFieldsInput } from './bylines.schemas.js';

/** The values of a byline: `own` of its locale, `shared` with the other locales of its group. */
export interface CustomFieldValues {
  own: CustomValues;
  shared: CustomValues;
}

/** Characters, by field type. */
const maxLengthByType: Partial<Record<BylineFieldType, number>> = { string: 500 };

/**
 * Merges the given values into the stored ones; null clears a value (contract 35).
 * @param mode `create` requires every required field, given or shared; `update` rejects only a cleared one.
 * @returns the values of the byline after the write.
 * @throws QuireError VALIDATION_ERROR naming every offending field.
 */
export function validateCustomValues(
  fields: readonly StoredBylineField[],
  stored: CustomFieldValues,
  input: CustomFieldsInput,
  mode: Extract<WriteMode, 'create' | 'update'>,
): CustomFieldValues {
  const compiled = compileFields(
    fields.map(({ slug, label, type, required, validation }) => {
      const maxLength = maxLengthByType[type];
      const rules = { ...validation, ...(maxLength !== undefined && { maxLength }) };
      return completeFieldDefinition({ slug, label, type, required, validation: rules });
    }),
    'bylines',
  );
  const given = mode === 'create' ? { ...stored.shared, ...input } : input;
  const { values, issues } = validateValues(compiled, given, mode);
  if (issues.length > 0) {
    throw invalidInput(issues.map((issue) => ({ ...issue, path: `customFields.${issue.path}` })));
  }
  const written = (isTranslatable: boolean) =>
    fields
      .filter(({ slug, translatable }) => translatable === isTranslatable && slug in values)
      .map(({ slug }) => [slug, values[slug]] as const);
  return { own: mergeValues(stored.own, written(true)), shared: mergeValues(stored.shared, written(false)) };
}

function mergeValues(stored: CustomValues, written: (readonly [string, unknown])[]): CustomValues {
  const merged = { ...stored, ...Object.fromEntries(written) };
  return Object.fromEntries(
    Object.entries(merged).filter(([, value]) => value !== null && value !== undefined),
  ) as CustomValues;
}
