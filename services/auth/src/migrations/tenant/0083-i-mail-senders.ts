import type { Migration } from '@quire/database';

/** Mails of administrators go first and have places of their own. */
export const mailSendersMigration: Migration = {
  name: '0083-i-mail-senders',
  up: async (sql) => {
    await sql.query('ALTER TABLE pending_mails ADD COLUMN is_by_admin boolean NOT NULL DEFAULT false');
  },
};
