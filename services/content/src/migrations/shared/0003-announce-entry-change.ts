import { identifier, type Migration } from '@quire/database';
import { sharedSchema } from '@quire/tenancy';

/**
 * The function that the triggers of subscribed collections run. Each change of a row writes its message in the same
 * transaction, whether it comes from an operation, a synchronised translation or an operator's own statement.
 * Arguments: job, tenant, id of the collection, slug of the collection.
 */
export const announceEntryChangeMigration: Migration = {
  name: '0003-announce-entry-change',
  up: async (sql) => {
    const shared = identifier(sharedSchema('content'));
    // Like a ULID: ten characters of time and sixteen random ones, so that messages sort by creation.
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
