import type { Migration } from '@quire/database';

/** Requests to start a transfer with a token that lacks the scope. One request waits for a decision per start. */
export const transferApprovalsMigration: Migration = {
  name: '0032-transfer-approvals',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE transfer_approvals (
        id text CONSTRAINT transfer_approvals_pkey PRIMARY KEY,
        status text NOT NULL,
        action text NOT NULL,
        user_id text NOT NULL,
        requested_by_token_id text NOT NULL,
        approved_by text,
        operation_id text,
        options json NOT NULL,
        params_digest text NOT NULL,
        package_digest text,
        plan_digest text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL,
        decided_at timestamptz(3),
        consumed_at timestamptz(3)
      )`);
    await sql.query('CREATE INDEX transfer_approvals_created_at_id ON transfer_approvals (created_at, id)');
    await sql.query(
      `CREATE UNIQUE INDEX transfer_approvals_pending
         ON transfer_approvals (user_id, requested_by_token_id, params_digest) WHERE status = 'pending'`,
    );
    await sql.query('CREATE INDEX transfer_approvals_operation_id ON transfer_approvals (operation_id)');
  },
};
