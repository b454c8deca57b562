import type { Migration } from '@quire/database';

/** Whoever shows files of the site asks this one number whether they are still the same. */
export const fileChangesMigration: Migration = {
  name: '0040-file-changes',
  up: async (sql) => {
    await sql.query(
      'CREATE TABLE media_file_changes (id text CONSTRAINT media_file_changes_pkey PRIMARY KEY, count bigint NOT NULL)',
    );
  },
};
