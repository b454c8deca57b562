import type { Migration } from '@quire/database';

/** Lists of invitations go by their making, and an invitation is named by the id that its user will have. */
export const inviteIdsMigration: Migration = {
  name: '0081-i-invite-ids',
  up: async (sql) => {
    await sql.query('CREATE UNIQUE INDEX invites_user_id ON invites (user_id)');
    await sql.query('CREATE INDEX invites_created_at ON invites (created_at, user_id)');
  },
};
