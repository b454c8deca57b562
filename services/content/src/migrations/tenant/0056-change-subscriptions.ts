import { likeStarting, literal, type Migration } from '@quire/database';
import { contentTablePrefix } from '../../schema/index.js';
import { renamedJobs } from '../renamed-jobs.js';

/** Renames the table of subscriptions, and the triggers of subscribed collections with the jobs that they name. */
export const subscriptionNamesMigration: Migration = {
  name: '0056-change-subscriptions',
  up: async (sql) => {
    await sql.query('ALTER TABLE change_followers RENAME TO change_subscriptions');
    await sql.query('ALTER TABLE change_subscriptions RENAME COLUMN follower TO subscriber');
    await sql.query(
      'ALTER TABLE change_subscriptions RENAME CONSTRAINT change_followers_pkey TO change_subscriptions_pkey',
    );
    const argument = (job: string) => literal(`('${job}'`);
    const renames = renamedJobs.map(
      ([former, present]) => `definition := replace(definition, ${argument(former)}, ${argument(present)});`,
    );
    await sql.query(`
      DO $$
      DECLARE
        former record;
        definition text;
      BEGIN
        FOR former IN
          SELECT t.tgname, t.tgrelid::regclass AS place, pg_get_triggerdef(t.oid) AS definition
          FROM pg_class c JOIN pg_trigger t ON t.tgrelid = c.oid
          WHERE c.relname LIKE ${literal(likeStarting(contentTablePrefix))}
            AND c.relnamespace = quote_ident(current_schema())::regnamespace AND starts_with(t.tgname::text, 'announce.')
        LOOP
          definition := replace(former.definition, 'TRIGGER "announce.', 'TRIGGER "notify.');
          ${renames.join('\n')}
          EXECUTE format('DROP TRIGGER %I ON %s', former.tgname, former.place);
          EXECUTE definition;
        END LOOP;
      END
      $$`);
  },
};
