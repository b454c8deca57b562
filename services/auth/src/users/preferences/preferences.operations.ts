import type { Context } from '@quire/context';
import { invalidInput, notFound } from '@quire/errors';
import { callerOf } from '../index.js';
import { deletePreferenceOf, selectPreference, upsertPreference } from './preferences.repository.js';
import { maxPreferencesBytes, type Preference } from './preferences.schemas.js';

/** @returns a preference of the caller. @throws QuireError NOT_FOUND */
export async function getPreference(ctx: Context, key: string): Promise<Preference> {
  const preference = await selectPreference(ctx.db, callerOf(ctx), key);
  if (!preference) throw notFound('preference', key);
  return preference;
}

/**
 * Stores a preference of the caller, instead of a former one with the key.
 * @throws QuireError VALIDATION_ERROR when the caller's preferences would become larger than 32 KiB together
 */
export async function setPreference(ctx: Context, key: string, value: unknown): Promise<Preference> {
  const preference = await upsertPreference(ctx.db, callerOf(ctx), key, value);
  if (preference) return preference;
  const message = `your preferences together take at most ${maxPreferencesBytes} bytes`;
  throw invalidInput([{ path: 'value', message }]);
}

/** Deletes a preference of the caller. @throws QuireError NOT_FOUND */
export async function deletePreference(ctx: Context, key: string): Promise<void> {
  if (!(await deletePreferenceOf(ctx.db, callerOf(ctx), key))) throw notFound('preference', key);
}
