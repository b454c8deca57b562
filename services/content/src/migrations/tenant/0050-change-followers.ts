import type { Migration } from '@quire/database';

/** Subscribers to the changes of a collection, by its id or `*` for collections created later. */
export const changeFollowersMigration: Migration = {
  name: '0050-change-followers',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE change_followers (
        follower text NOT NULL,
        collection_id text NOT NULL,
        CONSTRAINT change_followers_pkey PRIMARY KEY (follower, collection_id)
      )`);
  },
};
