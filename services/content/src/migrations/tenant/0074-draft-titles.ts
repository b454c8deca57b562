import { identifier, type Migration } from '@quire/database';
import { contentTableName, deriveDraftTitles } from '../../schema/index.js';

/** Characters of a title that a search reads. */
const maxTitleLength = 1000;

/**
 * The titles of revisions, by which the admin panel finds drafts without reading their data. A trigger derives them,
 * whether a revision comes from an operation, a former version or an operator's own statement.
 */
export const draftTitlesMigration: Migration = {
  name: '0074-draft-titles',
  up: async (sql) => {
    await sql.query('ALTER TABLE revisions ADD COLUMN title text');
    // The function names its schema: a statement of an operator may run with another search path.
    const [current] = await sql.query<{ schema: string }>('SELECT current_schema() AS schema');
    const schema = identifier(current?.schema ?? '');
    await sql.query(`
      CREATE FUNCTION set_revision_title() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE named_by text;
      BEGIN
        SELECT c.title_field INTO named_by FROM ${schema}.collections c WHERE c.slug = NEW.collection;
        NEW.title := left(
          coalesce(NEW.data ->> named_by, NEW.data ->> 'title', NEW.data ->> 'name'), ${maxTitleLength});
        RETURN NEW;
      END
      $$`);
    await sql.query(`
      CREATE TRIGGER set_title BEFORE INSERT OR UPDATE OF data ON revisions
      FOR EACH ROW EXECUTE FUNCTION set_revision_title()`);
    const collections = await sql.query<{ slug: string }>('SELECT slug FROM collections ORDER BY slug');
    for (const { slug } of collections) await deriveDraftTitles(sql, contentTableName(slug));
  },
};
