import type { Migration } from '@quire/database';

/** Lists of users go by their making. */
export const usersOrderMigration: Migration = {
  name: '0022-users-order',
  up: async (sql) => {
    await sql.query('CREATE INDEX users_created_at ON users (created_at, id)');
  },
};
