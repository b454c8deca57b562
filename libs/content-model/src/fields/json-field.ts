import type { CheckerFactory, CheckRun } from './check-run.js';
import { jsonFault } from './storable.js';

/** Refuses a value that cannot be stored as JSON; returns whether it can. */
export function isStorableJson(value: unknown, path: string, run: CheckRun): boolean {
  const fault = jsonFault(value);
  if (fault === null) return true;
  run.refuse([path, ...fault.path].join('.'), fault.reason);
  return false;
}

/** `json`: any JSON, returned as is; it is not copied, so that its key order stays what it was. */
export const jsonChecker: CheckerFactory = () => (value, path, run) =>
  isStorableJson(value, path, run) ? value : undefined;
