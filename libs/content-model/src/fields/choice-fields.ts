import type { FieldValidator, FieldValidatorFactory, ValidationContext } from './validation-context.js';
import { isRequired, type CheckedField } from './field-definition.js';
import { validationMessages } from './issues.js';
import { isText } from './text-fields.js';

function choiceValidator(field: CheckedField): FieldValidator {
  const options = field.validation?.options ?? [];
  const allowed = new Set(options);
  return (value: unknown, path: string, context: ValidationContext) => {
    if (!isText(value, path, context)) return undefined;
    // Without choices every string is valid.
    if (allowed.size > 0 && !allowed.has(value)) context.addIssue(path, validationMessages.option(options));
    return value;
  };
}

/** `select`: exactly one of the options, case-sensitive. */
export const selectValidator: FieldValidatorFactory = choiceValidator;

/** `multiSelect`: a list of options, in the order sent; a required one must hold at least one choice. */
export const multiSelectValidator: FieldValidatorFactory = (field) => {
  const checkChoice = choiceValidator(field);
  const mustChoose = isRequired(field);
  return (value, path, context) => {
    if (!Array.isArray(value)) {
      context.addIssue(path, validationMessages.type('list'));
      return undefined;
    }
    if (mustChoose && value.length === 0) context.addIssue(path, validationMessages.required());
    return value.map((choice: unknown, index) => checkChoice(choice, `${path}.${index}`, context));
  };
};
