import { JsonText } from '@quire/json';
import type { CheckerFactory, CheckRun } from './check-run.js';
import { jsonFault } from './storable.js';

/** Refuses a value that cannot be stored as JSON; returns whether it can. */
export function isStorableJson(value: unknown, path: string, run: CheckRun): boolean {
  const fault = jsonFault(value);
  if (fault === null) return true;
  run.refuse([path, ...fault.path].join('.'), fault.reason);
  return false;
}

/**
 * `json`: any JSON, returned as the text that it was sent in (decision 44), or the text of a value that was not sent. A text is
 * returned as it is: it was stored, and so checked before.
 */
export const jsonChecker: CheckerFactory = () => (value, path, run) => {
  if (value instanceof JsonText) return value;
  if (!isStorableJson(value, path, run)) return undefined;
  return new JsonText(run.sentText(path) ?? JSON.stringify(value));
};
