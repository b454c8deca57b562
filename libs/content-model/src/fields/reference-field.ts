import type { FieldValidator, FieldValidatorFactory, ValidationContext } from './validation-context.js';
import { allowsMultiple, isRequired } from './field-definition.js';
import { validationMessages } from './issues.js';
import { isText } from './text-fields.js';

/** How many entry ids one selection may hold (document 3, Limits). */
const maxReferences = 1000;

/** An unbound `reference`: one entry id, or with `options.allowMultiple` a list of distinct ids. */
export const referenceValidator: FieldValidatorFactory = (field): FieldValidator => {
  const check = allowsMultiple(field) ? idListValidator(isRequired(field)) : checkId;
  const collection = field.options?.['collection'];
  if (typeof collection !== 'string' || collection === '') return check;
  return (value, path, context) => {
    const problems = context.issues.length;
    const checked = check(value, path, context);
    if (context.issues.length === problems) {
      context.references.push({
        path,
        collection,
        ids: (Array.isArray(checked) ? checked : [checked]) as string[],
      });
    }
    return checked;
  };
};

function checkId(value: unknown, path: string, context: ValidationContext): string | undefined {
  return isText(value, path, context) ? value : undefined;
}

function idListValidator(mustHoldOne: boolean): FieldValidator {
  return (value, path, context) => {
    // A single id is a selection of one, for clients from the time before the field allowed several.
    const ids: unknown = typeof value === 'string' ? [value] : value;
    if (!Array.isArray(ids)) {
      context.addIssue(path, validationMessages.type('list'));
      return undefined;
    }
    if (mustHoldOne && ids.length === 0) context.addIssue(path, validationMessages.required());
    if (ids.length > maxReferences) {
      context.addIssue(path, validationMessages.maxItems(maxReferences));
      return undefined;
    }
    const seen = new Set<string>();
    ids.forEach((id: unknown, index) => {
      const itemPath = `${path}.${index}`;
      if (!isText(id, itemPath, context)) return;
      if (id === '') context.addIssue(itemPath, validationMessages.required());
      else if (seen.has(id)) context.addIssue(itemPath, validationMessages.duplicate(id));
      seen.add(id);
    });
    return [...seen];
  };
}
