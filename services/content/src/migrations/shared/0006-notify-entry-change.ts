import { identifier, type Migration } from '@quire/database';
import { sharedSchema } from '@quire/tenancy';
import { presentName, renamedJobs } from '../renamed-jobs.js';

/**
 * Renames the trigger function, and the jobs of messages that wait. The triggers of a site pass the former names until
 * that site is migrated, so the function translates them.
 */
export const notifyFunctionMigration: Migration = {
  name: '0006-notify-entry-change',
  up: async (sql) => {
    const shared = identifier(sharedSchema('content'));
    await sql.query(`ALTER FUNCTION ${shared}.announce_entry_change() RENAME TO notify_entry_change`);
    await sql.query(`
      CREATE OR REPLACE FUNCTION ${shared}.notify_entry_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO ${shared}.outbox (id, job, message) VALUES (
          ${shared}.message_id(),
          ${presentName('TG_ARGV[0]')},
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
    await sql.query(`UPDATE ${shared}.outbox SET job = ${presentName('job')} WHERE job = ANY($1)`, [
      renamedJobs.map(([former]) => former),
    ]);
  },
};
