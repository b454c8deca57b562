import type { Migration } from '@quire/database';

/** Adds indexes for lists of invitations by creation, and for the id of an invitation: that of its future user. */
export const inviteIdsMigration: Migration = {
  name: '0081-i-invite-ids',
  up: async (sql) => {
    await sql.query('CREATE UNIQUE INDEX invites_user_id ON invites (user_id)');
    await sql.query('CREATE INDEX invites_created_at ON invites (created_at, user_id)');
  },
};
