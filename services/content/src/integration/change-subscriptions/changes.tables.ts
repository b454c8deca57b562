import { identifier, type Migration } from '@quire/database';
import { sharedSchema } from '@quire/tenancy';

/** Who follows which collection of a site (by its id, or `*` for those that are made from now on). */
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

/**
 * What the triggers of followed collections run: each change of a row writes its message in the same transaction,
 * whoever makes the change, be it an operation, a synchronised translation or an operator's own statement. Arguments:
 * job, tenant, id of the collection, slug of the collection.
 */
export const announceEntryChangeMigration: Migration = {
  name: '0003-announce-entry-change',
  up: async (sql) => {
    const shared = identifier(sharedSchema('content'));
    // Like a ULID: ten characters of time and sixteen of chance, so that messages lie in the order of their making.
    await sql.query(`
      CREATE FUNCTION ${shared}.message_id() RETURNS text LANGUAGE sql VOLATILE AS $$
        SELECT string_agg(
            substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((now_ms >> (5 * place)) & 31)::integer + 1, 1),
            '' ORDER BY place DESC
          ) || upper(right(replace(gen_random_uuid()::text, '-', ''), 16))
        FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms) clock,
          generate_series(0, 9) AS place
      $$`);
    await sql.query(`
      CREATE FUNCTION ${shared}.announce_entry_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO ${shared}.outbox (id, job, message) VALUES (
          ${shared}.message_id(),
          TG_ARGV[0],
          json_build_object(
            'tenantId', TG_ARGV[1],
            'collectionId', TG_ARGV[2],
            'collection', TG_ARGV[3],
            'entryId', CASE TG_OP WHEN 'DELETE' THEN OLD.id ELSE NEW.id END
          )
        );
        RETURN NULL;
      END
      $$`);
  },
};

/**
 * Search is told of all changes, and not of those of published entries alone: triggers of before lose their
 * condition.
 */
export const announceDraftsMigration: Migration = {
  name: '0054-announce-drafts',
  up: async (sql) => {
    await sql.query(`
      DO $$
      DECLARE told record;
      BEGIN
        FOR told IN
          SELECT t.tgname, t.tgrelid::regclass AS followed, pg_get_triggerdef(t.oid) AS definition
          FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = current_schema() AND t.tgqual IS NOT NULL
            AND starts_with(t.tgname::text, 'announce.search.')
        LOOP
          EXECUTE format('DROP TRIGGER %I ON %s', told.tgname, told.followed);
          EXECUTE regexp_replace(told.definition, ' WHEN \\(.*\\) EXECUTE ', ' EXECUTE ');
        END LOOP;
      END
      $$`);
  },
};
