import type { FieldValidator, FieldValidatorFactory } from './validation-context.js';
import { validationMessages } from './issues.js';

function withinBounds(
  isNumber: (value: unknown) => boolean,
  kind: 'number' | 'whole number',
): FieldValidatorFactory {
  return (field): FieldValidator => {
    const { min, max } = field.validation ?? {};
    return (value, path, context) => {
      if (typeof value !== 'number' || !isNumber(value)) {
        context.addIssue(path, validationMessages.type(kind));
        return undefined;
      }
      if (min !== undefined && value < min) context.addIssue(path, validationMessages.min(min));
      if (max !== undefined && value > max) context.addIssue(path, validationMessages.max(max));
      return value;
    };
  };
}

/** `number`: a finite JSON number within inclusive bounds. */
export const numberValidator = withinBounds(Number.isFinite, 'number');

/** `integer`: a whole number that a JSON number carries exactly (±(2^53−1)), within inclusive bounds. */
export const integerValidator = withinBounds(Number.isSafeInteger, 'whole number');

/** `boolean`: true or false; 0 and 1 mean false and true (decision 39), texts are invalid. */
export const booleanValidator: FieldValidatorFactory = () => (value, path, context) => {
  if (typeof value === 'boolean') return value;
  if (value === 0 || value === 1) return value === 1;
  context.addIssue(path, validationMessages.type('boolean'));
  return undefined;
};
