import { QuireError } from '@quire/errors';
import { manifestPath, packageLimits } from '@quire/site-package';

/** A package may name what it likes; errors repeat so many characters. */
export const maxNamedLength = 200;

/** @param path of the property of the manifest; empty for the whole manifest */
export function manifestInvalid(path: string, problem: string): QuireError {
  const named = path.slice(0, maxNamedLength);
  const subject = named === '' ? manifestPath : `${manifestPath}: ${named}`;
  return new QuireError('TRANSFER_MANIFEST_INVALID', `${subject} ${problem}`, { details: { path: named } });
}

/** The error for a package that is larger than the limits of the capabilities. */
export function limitExceeded(limit: keyof typeof packageLimits, subject: string): QuireError {
  const max = packageLimits[limit];
  return new QuireError('TRANSFER_LIMIT_EXCEEDED', `${subject}: the limit is ${max}`, {
    details: { limit, max },
  });
}
