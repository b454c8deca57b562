import type { Migration } from '@quire/database';

/** What a mail is about, where it is about more than its kind. */
export const mailSubjectsMigration: Migration = {
  name: '0071-mail-subjects',
  up: async (sql) => {
    await sql.query('ALTER TABLE pending_mails ADD COLUMN subject json');
  },
};
