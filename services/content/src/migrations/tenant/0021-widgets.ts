import type { Migration } from '@quire/database';

/** Widget areas and their widgets. */
export const widgetsMigration: Migration = {
  name: '0021-widgets',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE widget_areas (
        id text PRIMARY KEY,
        name text NOT NULL,
        label text NOT NULL,
        description text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sql.query('CREATE UNIQUE INDEX widget_areas_name ON widget_areas (name)');
    await sql.query(`
      CREATE TABLE widgets (
        id text PRIMARY KEY,
        area_id text NOT NULL,
        sort_order integer NOT NULL,
        type text NOT NULL,
        title text,
        content json,
        menu_name text,
        component_id text,
        component_props json,
        CONSTRAINT widgets_area_id_fkey FOREIGN KEY (area_id) REFERENCES widget_areas (id) ON DELETE CASCADE
      )`);
    await sql.query('CREATE INDEX widgets_area_id_sort_order ON widgets (area_id, sort_order)');
  },
};
