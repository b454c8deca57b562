import type { Migration } from '@quire/database';

/** Creates the audit log. */
export const auditMigration: Migration = {
  name: '0021-audit',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE audit_log (
        id text PRIMARY KEY,
        action text NOT NULL,
        actor_kind text NOT NULL,
        actor_id text,
        target_type text,
        target_id text,
        user_id text,
        client_address text,
        request_id text,
        details jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sql.query('CREATE INDEX audit_log_created_at ON audit_log (created_at, id)');
    await sql.query('CREATE INDEX audit_log_action ON audit_log (action, created_at, id)');
    await sql.query('CREATE INDEX audit_log_actor_id ON audit_log (actor_id, created_at, id)');
    await sql.query('CREATE INDEX audit_log_user_id ON audit_log (user_id, created_at, id)');
  },
};
