import { isAllowedSeedUrl, isAllowedUrl, isStorableText } from '@quire/values';
import type { FieldValidatorFactory, ValidationContext } from './validation-context.js';
import { validationMessages } from './issues.js';
import { compilePattern } from './pattern.js';

/** Adds an issue for a value that is no storable text; narrows its type for the following rules. */
export function isText(value: unknown, path: string, context: ValidationContext): value is string {
  if (typeof value !== 'string') {
    context.addIssue(path, validationMessages.type('string'));
    return false;
  }
  if (!isStorableText(value)) {
    context.addIssue(path, validationMessages.characters());
    return false;
  }
  return true;
}

/** `string`, `text` and `slug`: minLength, maxLength (UTF-16 units, as an editor's maxlength counts) and pattern. */
export const textValidator: FieldValidatorFactory = (field) => {
  const { minLength, maxLength, pattern } = field.validation ?? {};
  const compiled = pattern === undefined ? null : compilePattern(pattern);
  return (value, path, context) => {
    if (!isText(value, path, context)) return undefined;
    if (minLength !== undefined && value.length < minLength)
      context.addIssue(path, validationMessages.minLength(minLength));
    if (maxLength !== undefined && value.length > maxLength)
      context.addIssue(path, validationMessages.maxLength(maxLength));
    // The pattern is not matched for a text of invalid length.
    else if (compiled !== null && !compiled.test(value)) context.addIssue(path, validationMessages.pattern());
    return value;
  };
};

/** `url`: the link rule, stored as sent. */
export const urlValidator: FieldValidatorFactory = () => (value, path, context) => {
  if (!isText(value, path, context)) return undefined;
  const isAllowed = context.origin === 'seed' ? isAllowedSeedUrl(value) : isAllowedUrl(value);
  if (!isAllowed) context.addIssue(path, validationMessages.url());
  return value;
};
