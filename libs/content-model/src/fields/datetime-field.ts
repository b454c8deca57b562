import { normaliseDatetime, normaliseSeedDatetime } from '@quire/values';
import type { FieldValidatorFactory } from './validation-context.js';
import { validationMessages } from './issues.js';

/** `datetime`: an instant, stored in UTC with milliseconds. */
export const datetimeValidator: FieldValidatorFactory = () => (value, path, context) => {
  const stored =
    typeof value !== 'string'
      ? null
      : context.origin === 'seed'
        ? normaliseSeedDatetime(value)
        : normaliseDatetime(value);
  if (stored === null) context.addIssue(path, validationMessages.datetime());
  return stored;
};
