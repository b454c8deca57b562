import { likeStarting, literal, type Migration } from '@quire/database';
import { contentTablePrefix } from '../../schema/index.js';

/** Search gets the changes of drafts too: removes the condition on published entries from existing triggers. */
export const announceDraftsMigration: Migration = {
  name: '0054-announce-drafts',
  up: async (sql) => {
    await sql.query(`
      DO $$
      DECLARE existing record;
      BEGIN
        FOR existing IN
          SELECT t.tgname, t.tgrelid::regclass AS followed, pg_get_triggerdef(t.oid) AS definition
          FROM pg_class c JOIN pg_trigger t ON t.tgrelid = c.oid
          WHERE c.relname LIKE ${literal(likeStarting(contentTablePrefix))}
            AND c.relnamespace = quote_ident(current_schema())::regnamespace AND t.tgqual IS NOT NULL
            AND starts_with(t.tgname::text, 'announce.search.')
        LOOP
          EXECUTE format('DROP TRIGGER %I ON %s', existing.tgname, existing.followed);
          EXECUTE regexp_replace(existing.definition, ' WHEN \\(.*\\) EXECUTE ', ' EXECUTE ');
        END LOOP;
      END
      $$`);
  },
};
