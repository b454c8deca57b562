import { identifier, type Migration } from '@quire/database';
import { sharedSchema, tenantSchema } from '@quire/tenancy';

const shared = `${identifier(sharedSchema('auth'))}.pending_mails`;
const columns = 'id, kind, email, origin, subject, is_by_admin, attempts, due_at, created_at';

/**
 * Moves the pending mails of a site to the table of all sites. The lock waits for transactions of older processes,
 * whose mails would otherwise be dropped with the table.
 */
export const sharedMailsMigration: Migration = {
  name: '0086-shared-mails',
  up: async (sql) => {
    await sql.query('LOCK TABLE pending_mails IN ACCESS EXCLUSIVE MODE');
    await sql.query(
      `INSERT INTO ${shared} (tenant_id, ${columns})
       SELECT substring(current_schema() FROM $1::integer), ${columns} FROM pending_mails`,
      [tenantSchema({ id: '' }).length + 1],
    );
    await sql.query('DROP TABLE pending_mails');
  },
};
