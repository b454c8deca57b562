import type { Migration } from '@quire/database';

/** Paths that were not found. The log is short and written often, so its sort orders have no index. */
export const notFoundLogMigration: Migration = {
  name: '0042-not-found-log',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE not_found_log (
        id text CONSTRAINT not_found_log_pkey PRIMARY KEY,
        path text NOT NULL,
        count bigint NOT NULL,
        referrer text,
        user_agent text,
        ip text,
        referrers json NOT NULL,
        created_at timestamptz(3) NOT NULL,
        last_seen_at timestamptz(3) NOT NULL
      )`);
    await sql.query('CREATE UNIQUE INDEX not_found_log_path ON not_found_log (path)');
  },
};
