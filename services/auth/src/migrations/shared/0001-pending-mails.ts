import type { Migration } from '@quire/database';

/** Mails of all sites that are not sent yet, so that one statement of a sweep sees every site of a database. */
export const pendingMailsMigration: Migration = {
  name: '0001-pending-mails',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE pending_mails (
        tenant_id text NOT NULL,
        id text NOT NULL,
        kind text NOT NULL,
        email text NOT NULL,
        origin text NOT NULL,
        subject json,
        is_by_admin boolean NOT NULL DEFAULT false,
        attempts integer NOT NULL DEFAULT 0,
        due_at timestamptz(3) NOT NULL DEFAULT now(),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pending_mails_pkey PRIMARY KEY (tenant_id, id)
      )`);
    await sql.query('CREATE INDEX pending_mails_due_at ON pending_mails (due_at)');
  },
};
