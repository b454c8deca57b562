import type { Checker, CheckerFactory } from './check-run.js';
import { reasons } from './issues.js';

function withinBounds(
  isNumber: (value: unknown) => boolean,
  kind: 'number' | 'whole number',
): CheckerFactory {
  return (field): Checker => {
    const { min, max } = field.validation ?? {};
    return (value, path, run) => {
      if (typeof value !== 'number' || !isNumber(value)) {
        run.refuse(path, reasons.type(kind));
        return undefined;
      }
      if (min !== undefined && value < min) run.refuse(path, reasons.min(min));
      if (max !== undefined && value > max) run.refuse(path, reasons.max(max));
      return value;
    };
  };
}

/** `number`: a finite JSON number within inclusive bounds. */
export const numberChecker = withinBounds(Number.isFinite, 'number');

/** `integer`: a whole number that a JSON number carries exactly (±(2^53−1)), within inclusive bounds. */
export const integerChecker = withinBounds(Number.isSafeInteger, 'whole number');

/** `boolean`: true or false; 0 and 1 are taken as false and true (decision 39), texts are refused. */
export const booleanChecker: CheckerFactory = () => (value, path, run) => {
  if (typeof value === 'boolean') return value;
  if (value === 0 || value === 1) return value === 1;
  run.refuse(path, reasons.type('boolean'));
  return undefined;
};
