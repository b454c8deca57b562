import { z } from 'zod';

/** Bytes of all preferences of a user, as JSON text. */
export const maxPreferencesBytes = 32_768;

export const preferenceParams = z.object({
  key: z
    .string()
    .regex(/^[a-z][a-z0-9_.:-]*$/, 'must begin with a-z and have only a-z, 0-9 and _ . : -')
    .max(100),
});

/** A JSON value; null is one, and does not delete. */
const value = z
  .json()
  .refine((given) => !JSON.stringify(given).includes('\\u0000'), 'must not contain U+0000');
export const preferenceBody = z.strictObject({ value });

export const preferenceSchema = z.object({ value: z.unknown(), updatedAt: z.string() });
export type Preference = z.output<typeof preferenceSchema>;
