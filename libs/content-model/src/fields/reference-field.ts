import type { Checker, CheckerFactory, CheckRun } from './check-run.js';
import { allowsMultiple, isRequired } from './field-definition.js';
import { reasons } from './issues.js';
import { isText } from './text-fields.js';

/** How many entry ids one selection may hold (document 3, Limits). */
export const maxReferences = 1000;

/** An unbound `reference`: one entry id, or with `options.allowMultiple` a list of ids, each named once. */
export const referenceChecker: CheckerFactory = (field): Checker => {
  const check = allowsMultiple(field) ? idListChecker(isRequired(field)) : checkId;
  const collection = field.options?.['collection'];
  if (typeof collection !== 'string' || collection === '') return check;
  return (value, path, run) => {
    const problems = run.issues.length;
    const checked = check(value, path, run);
    if (run.issues.length === problems) {
      run.references.push({
        path,
        collection,
        ids: (Array.isArray(checked) ? checked : [checked]) as string[],
      });
    }
    return checked;
  };
};

function checkId(value: unknown, path: string, run: CheckRun): string | undefined {
  return isText(value, path, run) ? value : undefined;
}

function idListChecker(mustHoldOne: boolean): Checker {
  return (value, path, run) => {
    // A single id is a selection of one: clients that knew the field before it took several still work.
    const ids: unknown = typeof value === 'string' ? [value] : value;
    if (!Array.isArray(ids)) {
      run.refuse(path, reasons.type('list'));
      return undefined;
    }
    if (mustHoldOne && ids.length === 0) run.refuse(path, reasons.required());
    if (ids.length > maxReferences) {
      run.refuse(path, reasons.maxItems(maxReferences));
      return undefined;
    }
    const seen = new Set<string>();
    ids.forEach((id: unknown, index) => {
      const place = `${path}.${index}`;
      if (!isText(id, place, run)) return;
      if (id === '') run.refuse(place, reasons.required());
      else if (seen.has(id)) run.refuse(place, reasons.duplicate(id));
      seen.add(id);
    });
    return [...seen];
  };
}
