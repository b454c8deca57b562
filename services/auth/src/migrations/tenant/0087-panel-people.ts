import type { Migration } from '@quire/database';

/** Adds an index for the first users of the panel's pickers, which are ordered by name. */
export const panelPeopleMigration: Migration = {
  name: '0087-panel-people',
  up: async (sql) => {
    await sql.query('CREATE INDEX users_panel_people ON users (name, id) WHERE NOT disabled AND role >= 20');
  },
};
