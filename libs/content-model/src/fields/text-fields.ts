import { isAllowedSeedUrl, isAllowedUrl } from '../values/url.js';
import type { CheckerFactory, CheckRun } from './check-run.js';
import { reasons } from './issues.js';
import { compilePattern } from './pattern.js';
import { isStorableText } from './storable.js';

/** Refuses what is not a storable text; narrows the value for the rules that follow. */
export function isText(value: unknown, path: string, run: CheckRun): value is string {
  if (typeof value !== 'string') {
    run.refuse(path, reasons.type('string'));
    return false;
  }
  if (!isStorableText(value)) {
    run.refuse(path, reasons.characters());
    return false;
  }
  return true;
}

/** `string`, `text` and `slug`: minLength, maxLength (UTF-16 units, as an editor's maxlength counts) and pattern. */
export const textChecker: CheckerFactory = (field) => {
  const { minLength, maxLength, pattern } = field.validation ?? {};
  const compiled = pattern === undefined ? null : compilePattern(pattern);
  return (value, path, run) => {
    if (!isText(value, path, run)) return undefined;
    if (minLength !== undefined && value.length < minLength) run.refuse(path, reasons.minLength(minLength));
    if (maxLength !== undefined && value.length > maxLength) run.refuse(path, reasons.maxLength(maxLength));
    // A text already refused for its length is not worth a match.
    else if (compiled !== null && !compiled.test(value)) run.refuse(path, reasons.pattern());
    return value;
  };
};

/** `url`: the link rule, stored as sent. */
export const urlChecker: CheckerFactory = () => (value, path, run) => {
  if (!isText(value, path, run)) return undefined;
  const isAllowed = run.origin === 'seed' ? isAllowedSeedUrl(value) : isAllowedUrl(value);
  if (!isAllowed) run.refuse(path, reasons.url());
  return value;
};
