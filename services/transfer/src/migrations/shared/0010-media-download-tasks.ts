import type { Migration } from '@quire/database';

/** Pending media downloads across tenants, and the hosts that they are requested from. */
export const mediaDownloadTasksMigration: Migration = {
  name: '0010-media-download-tasks',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE media_download_tasks (
        tenant_id text NOT NULL,
        import_id text NOT NULL,
        number integer NOT NULL,
        host text NOT NULL,
        state text NOT NULL DEFAULT 'pending',
        attempts integer NOT NULL DEFAULT 0,
        due_at timestamptz(3) NOT NULL DEFAULT now(),
        lease_token text,
        lease_expires_at timestamptz(3),
        last_error_code text,
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT media_download_tasks_pkey PRIMARY KEY (tenant_id, import_id, number)
      )`);
    await sql.query(
      'CREATE INDEX media_download_tasks_due_at ON media_download_tasks (tenant_id, host, due_at)',
    );
    await sql.query(
      `CREATE INDEX media_download_tasks_leased ON media_download_tasks (tenant_id, host)
       WHERE lease_token IS NOT NULL`,
    );
    await sql.query(`
      CREATE TABLE media_download_hosts (
        tenant_id text NOT NULL,
        host text NOT NULL,
        slots integer NOT NULL,
        failures integer NOT NULL DEFAULT 0,
        failing_since timestamptz(3),
        blocked_until timestamptz(3) NOT NULL DEFAULT now(),
        claimed_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT media_download_hosts_pkey PRIMARY KEY (tenant_id, host)
      )`);
  },
};
