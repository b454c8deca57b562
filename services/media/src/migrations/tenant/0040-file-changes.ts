import type { Migration } from '@quire/database';

/** The number of file changes of a site, with which readers check that their cached files are current. */
export const fileChangesMigration: Migration = {
  name: '0040-file-changes',
  up: async (sql) => {
    await sql.query(
      'CREATE TABLE media_file_changes (id text CONSTRAINT media_file_changes_pkey PRIMARY KEY, count bigint NOT NULL)',
    );
  },
};
