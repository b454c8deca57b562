import type { Migration } from '@quire/database';

/** What the admin panel stores for a user: preferences, and views of lists. */
export const preferencesAndViewsMigration: Migration = {
  name: '0088-preferences-and-views',
  up: async (sql) => {
    await sql.query('CREATE TABLE user_preferences (user_id text PRIMARY KEY, preferences jsonb NOT NULL)');
    await sql.query(`
      CREATE TABLE saved_views (
        id text PRIMARY KEY,
        collection text NOT NULL,
        owner_id text NOT NULL,
        name text NOT NULL,
        search text NOT NULL,
        is_shared boolean NOT NULL,
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sql.query('CREATE INDEX saved_views_collection ON saved_views (collection, owner_id)');
  },
};
