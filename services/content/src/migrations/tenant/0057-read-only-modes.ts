import type { Migration } from '@quire/database';

export const readOnlyModesMigration: Migration = {
  name: '0057-read-only-modes',
  up: async (sql) => {
    await sql.query('ALTER TABLE write_fences RENAME TO read_only_modes');
    await sql.query(
      'ALTER TABLE read_only_modes RENAME CONSTRAINT write_fences_pkey TO read_only_modes_pkey',
    );
  },
};
