import { z } from 'zod';

/** A well-formed locale code. */
export const localeCode = z
  .string()
  .max(35)
  .regex(/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i, 'is not a locale code such as "en" or "pt-BR"');

/** Whether two codes are equal but for upper and lower case. */
export function isSameLocale(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
