import { columnsOf, type Queryable, type Row } from '@quire/database';
import { Setting } from './setting.entity.js';
import { settingsSchema, type SiteSettings } from './settings.schemas.js';

/** A setting by its key, `title` or `seo.robotsTxt`, with its value; undefined clears it. */
export type SettingChange = readonly [key: string, value: unknown];

/** @returns all settings that have a value, in the order of the documentation. */
export async function selectSettings(sql: Queryable): Promise<SiteSettings> {
  const rows = await sql.query<Pick<Row<Setting>, 'key' | 'value'>>(
    `SELECT ${columnsOf(Setting, { only: ['key', 'value'] })} FROM settings ORDER BY key`,
  );
  const settings: Record<string, unknown> = {};
  for (const { key, value } of rows) {
    const [name = '', property] = key.split('.', 2);
    if (property === undefined) settings[name] = value;
    else settings[name] = { ...(settings[name] as object | undefined), [property]: value };
  }
  return settingsSchema.parse(settings);
}

/** @returns the value of one setting; undefined when it has none. */
export async function selectSetting(sql: Queryable, key: string): Promise<unknown> {
  const rows = await sql.query<{ value: unknown }>({
    text: 'SELECT value FROM settings WHERE key = $1',
    values: [key],
    prepared: true,
  });
  return rows[0]?.value;
}

/** Serialises writers until the transaction ends: rows locked in different orders could deadlock. */
export async function lockSettings(tx: Queryable, tenantId: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`settings:${tenantId}`]);
}

/** Stores values and deletes settings whose value is undefined, after `lockSettings`. */
export async function upsertSettings(sql: Queryable, changes: readonly SettingChange[]): Promise<void> {
  const cleared = changes.filter(([, value]) => value === undefined);
  const set = changes.filter(([, value]) => value !== undefined);
  if (cleared.length > 0)
    await sql.query('DELETE FROM settings WHERE key = ANY($1)', [cleared.map(([key]) => key)]);
  if (set.length === 0) return;
  await sql.query(
    `INSERT INTO settings (key, value)
     SELECT key, value::json FROM unnest($1::text[], $2::text[]) AS given (key, value)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = now()`,
    [set.map(([key]) => key), set.map(([, value]) => JSON.stringify(value))],
  );
}
