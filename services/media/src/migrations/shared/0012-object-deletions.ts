import type { Migration } from '@quire/database';

export const objectDeletionNamesMigration: Migration = {
  name: '0012-object-deletions',
  up: async (sql) => {
    await sql.query('ALTER TABLE doomed_objects RENAME TO object_deletions');
    await sql.query(
      'ALTER TABLE object_deletions RENAME CONSTRAINT doomed_objects_pkey TO object_deletions_pkey',
    );
    await sql.query('ALTER INDEX doomed_objects_due_at RENAME TO object_deletions_due_at');
  },
};
