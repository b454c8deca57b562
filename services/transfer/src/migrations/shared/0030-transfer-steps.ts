import type { Migration } from '@quire/database';

/** Site transfers that have a next step, across tenants. */
export const transferStepsMigration: Migration = {
  name: '0030-transfer-steps',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE transfer_steps (
        tenant_id text NOT NULL,
        operation_id text NOT NULL,
        state text NOT NULL DEFAULT 'pending',
        attempts integer NOT NULL DEFAULT 0,
        due_at timestamptz(3) NOT NULL DEFAULT now(),
        lease_token text,
        lease_expires_at timestamptz(3),
        last_error_code text,
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT transfer_steps_pkey PRIMARY KEY (tenant_id, operation_id)
      )`);
    await sql.query('CREATE INDEX transfer_steps_due_at ON transfer_steps (due_at)');
  },
};
