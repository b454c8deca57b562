import { randomBytes } from 'node:crypto';
import type { Migration } from '@quire/database';

const keyBytes = 32;

/** Creates the key of the site. Values derived from it survive restarts and a change of the internal secret. */
export const siteKeyMigration: Migration = {
  name: '0080-i-site-key',
  up: async (sql) => {
    await sql.query('CREATE TABLE site_key (id integer PRIMARY KEY, key bytea NOT NULL)');
  },
  seed: (sql) => sql.query('INSERT INTO site_key (id, key) VALUES (1, $1)', [randomBytes(keyBytes)]),
};
