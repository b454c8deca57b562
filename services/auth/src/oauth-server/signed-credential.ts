import { z } from 'zod';
import { authenticationCredential } from '../authentication/passkeys/index.js';

const maxLength = 20_000;

/** The use of a passkey in a form, where a script puts it as JSON; empty without one. */
export const signedCredential = z
  .string()
  .max(maxLength)
  .transform((text, context) => {
    if (text === '') return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON' });
      return z.NEVER;
    }
  })
  .pipe(authenticationCredential.optional())
  .optional();
