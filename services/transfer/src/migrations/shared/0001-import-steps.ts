import type { Migration } from '@quire/database';

/** Imports that have a next step, across tenants: a row exists while an import runs. */
export const importStepsMigration: Migration = {
  name: '0001-import-steps',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE import_steps (
        tenant_id text NOT NULL,
        import_id text NOT NULL,
        state text NOT NULL DEFAULT 'pending',
        attempts integer NOT NULL DEFAULT 0,
        due_at timestamptz(3) NOT NULL DEFAULT now(),
        lease_token text,
        lease_expires_at timestamptz(3),
        last_error_code text,
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT import_steps_pkey PRIMARY KEY (tenant_id, import_id)
      )`);
    await sql.query('CREATE INDEX import_steps_due_at ON import_steps (due_at)');
  },
};
