import type { Checker, CheckerFactory, CheckRun } from './check-run.js';
import { isRequired, type CheckedField } from './field-definition.js';
import { reasons } from './issues.js';
import { isText } from './text-fields.js';

function choiceOf(field: CheckedField): Checker {
  const options = field.validation?.options ?? [];
  const allowed = new Set(options);
  return (value: unknown, path: string, run: CheckRun) => {
    if (!isText(value, path, run)) return undefined;
    // Without choices any string is accepted.
    if (allowed.size > 0 && !allowed.has(value)) run.refuse(path, reasons.option(options));
    return value;
  };
}

/** `select`: exactly one of the options, case-sensitive. */
export const selectChecker: CheckerFactory = choiceOf;

/** `multiSelect`: a list of options, in the order sent; a required one must hold at least one choice. */
export const multiSelectChecker: CheckerFactory = (field) => {
  const checkChoice = choiceOf(field);
  const mustChoose = isRequired(field);
  return (value, path, run) => {
    if (!Array.isArray(value)) {
      run.refuse(path, reasons.type('list'));
      return undefined;
    }
    if (mustChoose && value.length === 0) run.refuse(path, reasons.required());
    return value.map((choice: unknown, index) => checkChoice(choice, `${path}.${index}`, run));
  };
};
