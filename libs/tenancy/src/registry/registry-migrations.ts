import type { Migration } from '@quire/database';

/** The tables of the registry. */
export const registryMigrations: readonly Migration[] = [
  {
    name: '0001-tenants',
    up: async (sql) => {
      await sql.query(`
        CREATE TABLE tenants (
          id text PRIMARY KEY,
          database text,
          created_at timestamptz(3) NOT NULL DEFAULT now()
        )`);
      await sql.query(`
        CREATE TABLE tenant_hosts (
          host text PRIMARY KEY,
          tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE
        )`);
    },
  },
  {
    // Facts about a site's audit log outside of its schema (services/auth/src/audit).
    name: '0002-audit-heads',
    up: async (sql) => {
      await sql.query(`
        CREATE TABLE audit_heads (
          tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
          day date NOT NULL,
          seq bigint NOT NULL,
          hash bytea NOT NULL,
          PRIMARY KEY (tenant_id, day)
        )`);
      await sql.query(`
        CREATE TABLE audit_anchors (
          tenant_id text PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
          seq bigint NOT NULL,
          hash bytea NOT NULL
        )`);
    },
  },
  {
    // The error code of rejected writes while a site is read-only.
    name: '0003-read-only-reason',
    up: async (sql) => {
      await sql.query('ALTER TABLE tenants ADD COLUMN read_only_reason text');
    },
  },
  {
    // Changes by operators to the installation (registry/operator-actions.ts).
    name: '0004-operator-actions',
    up: async (sql) => {
      await sql.query(`
        CREATE TABLE operator_actions (
          id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          at timestamptz(3) NOT NULL DEFAULT now(),
          actor text NOT NULL,
          action text NOT NULL,
          target text NOT NULL,
          detail json NOT NULL,
          count integer NOT NULL
        )`);
    },
  },
];
