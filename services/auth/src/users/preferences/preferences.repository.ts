import type { Queryable } from '@quire/database';
import { maxPreferencesBytes, type Preference } from './preferences.schemas.js';

const stored = `jsonb_build_object($2::text, jsonb_build_object('value', $3::jsonb,
  'updatedAt', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))`;

/** @returns a preference of a user, undefined without one. */
export async function selectPreference(
  sql: Queryable,
  userId: string,
  key: string,
): Promise<Preference | undefined> {
  const [row] = await sql.query<{ preference: Preference | null }>(
    'SELECT preferences -> $2 AS preference FROM user_preferences WHERE user_id = $1',
    [userId, key],
  );
  return row?.preference ?? undefined;
}

/**
 * Stores a preference of a user, at the database's time.
 * @returns the preference, undefined when the user's preferences would become too large together
 */
export async function upsertPreference(
  sql: Queryable,
  userId: string,
  key: string,
  value: unknown,
): Promise<Preference | undefined> {
  const [row] = await sql.query<{ preference: Preference }>(
    `INSERT INTO user_preferences AS p (user_id, preferences)
     SELECT $1, given FROM (SELECT ${stored} AS given) g WHERE octet_length(given::text) <= $4
     ON CONFLICT (user_id) DO UPDATE SET preferences = p.preferences || excluded.preferences
     WHERE octet_length((p.preferences || excluded.preferences)::text) <= $4
     RETURNING preferences -> $2 AS preference`,
    [userId, key, JSON.stringify(value), maxPreferencesBytes],
  );
  return row?.preference;
}

/** Deletes a preference of a user. @returns whether there was one */
export async function deletePreferenceOf(sql: Queryable, userId: string, key: string): Promise<boolean> {
  const deleted = await sql.query(
    `UPDATE user_preferences SET preferences = preferences - $2 WHERE user_id = $1 AND preferences ? $2
     RETURNING user_id`,
    [userId, key],
  );
  return deleted.length > 0;
}
