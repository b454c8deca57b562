import type { Migration } from '@quire/database';

/** Finds the schedule of a site that is due next, however many schedules the site has. */
export const schedulesByTenantMigration: Migration = {
  name: '0010-schedules-by-tenant',
  up: async (sql) => {
    await sql.query('CREATE INDEX schedules_tenant_id_due_at ON schedules (tenant_id, due_at)');
  },
};
