import type { Migration } from '@quire/database';

/** Site settings; a setting without a value has no row. */
export const settingsMigration: Migration = {
  name: '0040-settings',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE settings (
        key text CONSTRAINT settings_pkey PRIMARY KEY,
        value json NOT NULL,
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
  },
};
