import { isStorableText } from '@quire/content-model';
import { QuireError } from '@quire/errors';
import { z } from 'zod';

/** The secret of a link, as a client sends it. */
export const linkToken = z.string().max(200);

/** Name of a new user. */
export const personName = z
  .string()
  .trim()
  .max(200)
  .refine(isStorableText, 'must not contain U+0000 or unpaired surrogates');

export function missingToken(): QuireError {
  return new QuireError('MISSING_PARAM', 'token: is missing');
}
