import { isStorableText } from '@quire/values';

/** An invalid rule of a field; `path` is the place inside `validation`. */
export interface RuleProblem {
  path: string;
  message: string;
}

/**
 * Checks the choices of a select, a multiSelect or a select sub-field. An empty list means that every string is valid.
 */
export function choiceProblems(value: unknown, path: string): RuleProblem[] {
  if (!Array.isArray(value) || !value.every(isChoice))
    return [{ path, message: 'must be a list of non-empty strings' }];
  return new Set(value).size === value.length ? [] : [{ path, message: 'must not name a choice twice' }];
}

function isChoice(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && isStorableText(value);
}
