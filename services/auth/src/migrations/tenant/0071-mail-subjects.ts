import type { Migration } from '@quire/database';

/** Adds the subject of mails that are about one object. */
export const mailSubjectsMigration: Migration = {
  name: '0071-mail-subjects',
  up: async (sql) => {
    await sql.query('ALTER TABLE pending_mails ADD COLUMN subject json');
  },
};
