import { QuireError } from '@quire/errors';
import { z } from 'zod';

const maximumLength = 254;
const emailSchema = z.email({ pattern: z.regexes.unicodeEmail });

/**
 * The form in which e-mail addresses are compared and stored: trimmed, lower case, non-ASCII kept (decision 31).
 * @throws QuireError VALIDATION_ERROR for what is no address.
 */
export function normalisedEmail(input: string): string {
  const email = input.trim().toLowerCase();
  if (email.length > maximumLength || !emailSchema.safeParse(email).success) {
    throw new QuireError('VALIDATION_ERROR', 'email: is not an e-mail address');
  }
  return email;
}
