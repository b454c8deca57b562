import { isAllowedSeedUrl, isAllowedUrl, isStorableText } from '@quire/values';
import type { FieldValidatorFactory, ValidationContext } from './validation-context.js';
import { validationMessages } from './issues.js';
import { compilePattern } from './pattern.js';

/** Refuses what is not a storable text; narrows the value for the rules that follow. */
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
    // A text already refused for its length is not worth a match.
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
