import type { Migration } from '@quire/database';

/** Adds an index for lists of users, which are ordered by creation. */
export const usersOrderMigration: Migration = {
  name: '0022-users-order',
  up: async (sql) => {
    await sql.query('CREATE INDEX users_created_at ON users (created_at, id)');
  },
};
