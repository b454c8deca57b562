import type { Migration } from '@quire/database';

/** Adds the mark of mails that are sent first and have a reserved share of the queue. */
export const mailSendersMigration: Migration = {
  name: '0083-i-mail-senders',
  up: async (sql) => {
    await sql.query('ALTER TABLE pending_mails ADD COLUMN is_by_admin boolean NOT NULL DEFAULT false');
  },
};
