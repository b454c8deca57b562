import { isStorableText } from '@quire/values';
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
  .unknown()
  .refine((given) => given !== undefined, 'is required')
  .refine(hasStorableTexts, 'must not contain U+0000 or unpaired surrogates');
export const preferenceBody = z.strictObject({ value });

export const preferenceSchema = z.object({ value: z.unknown(), updatedAt: z.string() });
export type Preference = z.output<typeof preferenceSchema>;

/** Whether PostgreSQL can store all keys and texts of a JSON value. */
function hasStorableTexts(value: unknown): boolean {
  let isStorable = true;
  JSON.stringify(value, (key, member: unknown) => {
    isStorable &&= isStorableText(key) && (typeof member !== 'string' || isStorableText(member));
    return member;
  });
  return isStorable;
}
