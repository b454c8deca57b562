import { JsonText } from '@quire/values';
import type { FieldValidatorFactory, ValidationContext } from './validation-context.js';
import { jsonFault } from './storable-json.js';

/** Whether a value can be stored as JSON; adds an issue if not. */
export function isStorableJson(value: unknown, path: string, context: ValidationContext): boolean {
  const fault = jsonFault(value);
  if (fault === null) return true;
  context.addIssue([path, ...fault.path].join('.'), fault.reason);
  return false;
}

/**
 * `json`: any JSON, returned as its submitted text (decision 44), or as the text of a value that was not submitted. A
 * text is returned unchanged: it is a stored value, which was checked before.
 */
export const jsonValidator: FieldValidatorFactory = () => (value, path, context) => {
  if (value instanceof JsonText) return value;
  if (!isStorableJson(value, path, context)) return undefined;
  return new JsonText(context.submittedText(path) ?? JSON.stringify(value));
};
