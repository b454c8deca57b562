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
  {
    // A number that grows with each change of tenants and hosts: processes read the registry again only then.
    name: '0005-registry-version',
    up: async (sql) => {
      await sql.query('CREATE INDEX tenant_hosts_tenant_id ON tenant_hosts (tenant_id)');
      await sql.query(`
        CREATE TABLE registry_version (
          is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
          version bigint NOT NULL
        )`);
      await sql.query('INSERT INTO registry_version (version) VALUES (1)');
      // The statement of an operator may run with another search path.
      await sql.query(`
        CREATE FUNCTION count_registry_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          EXECUTE format('UPDATE %I.registry_version SET version = version + 1', TG_TABLE_SCHEMA);
          RETURN NULL;
        END
        $$`);
      for (const table of ['tenants', 'tenant_hosts'])
        await sql.query(`
          CREATE TRIGGER count_registry_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${table}
          FOR EACH STATEMENT EXECUTE FUNCTION count_registry_change()`);
    },
  },
  {
    // Identities above sites, valid on the operations port only (registry/operator-tokens.ts).
    name: '0006-operator-tokens',
    up: async (sql) => {
      await sql.query(`
        CREATE TABLE operator_tokens (
          id text PRIMARY KEY,
          name text NOT NULL,
          role text NOT NULL CHECK (role IN ('viewer', 'operator')),
          token_hash text NOT NULL UNIQUE,
          created_at timestamptz(3) NOT NULL DEFAULT now(),
          last_used_at timestamptz(3),
          expires_at timestamptz(3)
        )`);
    },
  },
  {
    // Queues in which the jobs of a site are paused (registry/queue-pauses.ts).
    name: '0007-queue-pauses',
    up: async (sql) => {
      await sql.query(`
        CREATE TABLE queue_pauses (
          tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE,
          queue text NOT NULL,
          paused_at timestamptz(3) NOT NULL DEFAULT now(),
          PRIMARY KEY (tenant_id, queue)
        )`);
    },
  },
  {
    // What the tables of each site have, and the last failure (registry/site-versions.ts).
    name: '0008-site-versions',
    up: async (sql) => {
      await sql.query(`
        CREATE TABLE site_versions (
          tenant_id text PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
          version jsonb NOT NULL DEFAULT '{}',
          error text,
          updated_at timestamptz(3) NOT NULL DEFAULT now()
        )`);
      await sql.query(`
        CREATE TABLE breaking_migrations (
          service text NOT NULL,
          name text NOT NULL,
          PRIMARY KEY (service, name)
        )`);
    },
  },
  {
    // The running processes of the installation (registry/processes.ts).
    name: '0009-processes',
    up: async (sql) => {
      await sql.query(`
        CREATE TABLE processes (
          id text PRIMARY KEY,
          host text NOT NULL,
          pid integer NOT NULL,
          targets text[] NOT NULL,
          version text NOT NULL,
          started_at timestamptz(3) NOT NULL,
          seen_at timestamptz(3) NOT NULL DEFAULT now()
        )`);
    },
  },
  {
    // Sites that respond to no request and run no job until an operator resumes them (registry/suspension.ts).
    name: '0010-suspensions',
    up: async (sql) => {
      await sql.query('ALTER TABLE tenants ADD COLUMN suspended_at timestamptz(3)');
      await sql.query('ALTER TABLE tenants ADD COLUMN suspension_reason text');
    },
  },
  {
    // Settings and limits of sites, and the names of their plans (registry/site-options.ts).
    name: '0011-site-options',
    up: async (sql) => {
      await sql.query("ALTER TABLE tenants ADD COLUMN settings jsonb NOT NULL DEFAULT '{}'");
      await sql.query("ALTER TABLE tenants ADD COLUMN limits jsonb NOT NULL DEFAULT '{}'");
      await sql.query('ALTER TABLE tenants ADD COLUMN plan text');
    },
  },
  {
    // Deleted sites, which are restorable until their purge begins (registry/deletions.ts).
    name: '0012-deletions',
    up: async (sql) => {
      for (const column of ['deleted_at', 'purge_at', 'purge_started_at'])
        await sql.query(`ALTER TABLE tenants ADD COLUMN ${column} timestamptz(3)`);
      await sql.query(`
        CREATE TABLE tenant_purges (
          tenant_id text PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
          due_at timestamptz(3) NOT NULL,
          attempts integer NOT NULL DEFAULT 0
        )`);
    },
  },
  {
    // Moves of sites: the time for which jobs of a site wait (registry/tenant-database.ts), and the version of the
    // registry that each process uses (registry/processes.ts).
    name: '0013-moves',
    up: async (sql) => {
      await sql.query('ALTER TABLE tenants ADD COLUMN moving_until timestamptz(3)');
      await sql.query('ALTER TABLE processes ADD COLUMN registry_version bigint');
    },
  },
  {
    // Sites that operators have renamed (registry/renames.ts).
    name: '0014-renames',
    up: async (sql) => {
      await sql.query('ALTER TABLE tenants ADD COLUMN name text UNIQUE');
      await sql.query(`
        CREATE TABLE tenant_aliases (
          alias text PRIMARY KEY,
          tenant_id text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE
        )`);
      // Processes of a former version do not look for aliases when they create a site.
      await sql.query(`
        CREATE FUNCTION reject_tenant_alias() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
          taken boolean;
        BEGIN
          EXECUTE format('SELECT EXISTS (SELECT FROM %I.tenant_aliases WHERE alias = $1)', TG_TABLE_SCHEMA)
            INTO taken USING NEW.id;
          IF taken THEN
            RAISE unique_violation USING MESSAGE = 'a renamed site has the id', TABLE = 'tenants';
          END IF;
          RETURN NEW;
        END
        $$`);
      await sql.query(`
        CREATE TRIGGER reject_tenant_alias BEFORE INSERT ON tenants
        FOR EACH ROW EXECUTE FUNCTION reject_tenant_alias()`);
    },
  },
  {
    // Moves of sites that workers make (registry/moves.ts).
    name: '0015-requested-moves',
    up: async (sql) => {
      await sql.query(`
        CREATE TABLE tenant_moves (
          tenant_id text PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE,
          target text,
          max_pause_seconds integer NOT NULL,
          keeps_copy boolean NOT NULL,
          actor text NOT NULL,
          step text,
          requested_at timestamptz(3) NOT NULL DEFAULT now(),
          ended_at timestamptz(3),
          error text,
          receipt json,
          due_at timestamptz(3) NOT NULL,
          attempts integer NOT NULL DEFAULT 0
        )`);
    },
  },
];
