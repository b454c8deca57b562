import type { Migration } from '@quire/database';

/** Menus and their items. */
export const menusMigration: Migration = {
  name: '0022-menus',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE menus (
        id text PRIMARY KEY,
        name text NOT NULL,
        label text NOT NULL,
        locale text NOT NULL,
        translation_group text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sql.query('CREATE UNIQUE INDEX menus_name_locale ON menus (name, locale)');
    await sql.query(
      'CREATE UNIQUE INDEX menus_translation_group_locale ON menus (translation_group, locale)',
    );
    await sql.query(`
      CREATE TABLE menu_items (
        id text PRIMARY KEY,
        menu_id text NOT NULL,
        parent_id text,
        sort_order integer NOT NULL,
        type text NOT NULL,
        reference_collection text,
        reference_id text,
        custom_url text,
        label text NOT NULL,
        title_attr text,
        target text,
        css_classes text,
        translation_group text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT menu_items_menu_id_fkey FOREIGN KEY (menu_id) REFERENCES menus (id) ON DELETE CASCADE,
        CONSTRAINT menu_items_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES menu_items (id)
      )`);
    await sql.query('CREATE INDEX menu_items_menu_id_sort_order ON menu_items (menu_id, sort_order)');
    await sql.query('CREATE INDEX menu_items_parent_id ON menu_items (parent_id)');
  },
};
