import { compileFields, completeFieldDefinition, validateValues, type WriteMode } from '@quire/content-model';
import { invalidInput } from '@quire/errors';
import type { CustomValues } from './byline-group.entity.js';
import type { BylineFieldType } from './byline-field.entity.js';
import type { BylineFieldResponse } from './byline-fields.schemas.js';
import type { CustomFieldsInput } from './bylines.schemas.js';

/** Where the values of a byline lie: those of its own locale, and those of all its locales. */
export interface CustomFieldValues {
  own: CustomValues;
  shared: CustomValues;
}

/** Characters that a value of a type may have. */
const maxLengthByType: Partial<Record<BylineFieldType, number>> = { string: 500 };

/**
 * The values that a byline has after a write (contract 35): what is sent, checked against the fields, laid over what is
 * stored; null clears.
 * @param mode `create` wants all required fields, whether sent or shared with other locales; `update` only checks that
 * none is cleared.
 * @throws QuireError VALIDATION_ERROR naming every offending field.
 */
export function validateCustomValues(
  fields: readonly BylineFieldResponse[],
  stored: CustomFieldValues,
  sent: CustomFieldsInput,
  mode: Extract<WriteMode, 'create' | 'update'>,
): CustomFieldValues {
  const compiled = compileFields(
    fields.map(({ slug, label, type, required, validation }) => {
      const length = maxLengthByType[type];
      const rules = { ...validation, ...(length !== undefined && { maxLength: length }) };
      return completeFieldDefinition({ slug, label, type, required, validation: rules });
    }),
    'bylines',
  );
  const given = mode === 'create' ? { ...stored.shared, ...sent } : sent;
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
