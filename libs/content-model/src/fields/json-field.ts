import { JsonText } from '@quire/values';
import type { FieldValidatorFactory, ValidationContext } from './validation-context.js';
import { jsonFault } from './storable-json.js';

/** Refuses a value that cannot be stored as JSON; returns whether it can. */
export function isStorableJson(value: unknown, path: string, context: ValidationContext): boolean {
  const fault = jsonFault(value);
  if (fault === null) return true;
  context.addIssue([path, ...fault.path].join('.'), fault.reason);
  return false;
}

/**
 * `json`: any JSON, returned as the text that it was sent in (decision 44), or the text of a value that was not sent. A
 * text is returned as it is: it was stored, and so checked before.
 */
export const jsonValidator: FieldValidatorFactory = () => (value, path, context) => {
  if (value instanceof JsonText) return value;
  if (!isStorableJson(value, path, context)) return undefined;
  return new JsonText(context.submittedText(path) ?? JSON.stringify(value));
};
