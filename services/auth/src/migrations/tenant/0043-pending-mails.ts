import type { Migration } from '@quire/database';

/** Creates the mail queue. */
export const mailMigration: Migration = {
  name: '0043-pending-mails',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE pending_mails (
        id text PRIMARY KEY,
        kind text NOT NULL,
        email text NOT NULL,
        origin text NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        due_at timestamptz(3) NOT NULL DEFAULT now(),
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sql.query('CREATE INDEX pending_mails_due_at ON pending_mails (due_at)');
  },
};
