import { normaliseDatetime, normaliseSeedDatetime } from '../values/datetime.js';
import type { CheckerFactory } from './check-run.js';
import { reasons } from './issues.js';

/** `datetime`: an instant, stored in UTC with milliseconds. */
export const datetimeChecker: CheckerFactory = () => (value, path, run) => {
  const stored =
    typeof value !== 'string'
      ? null
      : run.origin === 'seed'
        ? normaliseSeedDatetime(value)
        : normaliseDatetime(value);
  if (stored === null) run.refuse(path, reasons.datetime());
  return stored;
};
