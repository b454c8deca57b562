import { identifier, type Migration } from '@quire/database';
import { sharedSchema } from '@quire/tenancy';
import { presentName } from '../renamed-jobs.js';

/** The trigger function of entries writes the site of a message, by which the outbox takes turns. */
export const tenantOfMessagesMigration: Migration = {
  name: '0009-tenant-of-messages',
  up: async (sql) => {
    const shared = identifier(sharedSchema('content'));
    await sql.query(`
      CREATE OR REPLACE FUNCTION ${shared}.notify_entry_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO ${shared}.outbox (id, job, tenant_id, message) VALUES (
          ${shared}.message_id(),
          ${presentName('TG_ARGV[0]')},
          TG_ARGV[1],
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
