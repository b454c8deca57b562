import { QuireError } from '@quire/errors';
import { storableText } from '@quire/operation';
import { z } from 'zod';

/** The secret of a link, as a client sends it. */
export const linkToken = z.string().max(200);

/** Name of a new user. */
export const personName = storableText(z.string().trim().max(200));

export function missingToken(): QuireError {
  return new QuireError('MISSING_PARAM', 'token: is missing');
}
