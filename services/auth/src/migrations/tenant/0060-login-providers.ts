import type { Migration } from '@quire/database';

/** Creates the tables of login providers. Documents are `json`: `jsonb` rejects U+0000, which JSON allows. */
export const providersMigration: Migration = {
  name: '0060-login-providers',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE login_accounts (
        id text PRIMARY KEY,
        provider text NOT NULL,
        account_id text NOT NULL,
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        email text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        last_used_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sql.query('CREATE UNIQUE INDEX login_accounts_account ON login_accounts (provider, account_id)');
    await sql.query('CREATE INDEX login_accounts_user_id ON login_accounts (user_id)');
    await sql.query(`
      CREATE TABLE login_attempts (
        state_hash text PRIMARY KEY,
        browser_hash text NOT NULL,
        provider text NOT NULL,
        redirect text,
        invite_hash text,
        setup_hash text,
        kept json NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    await sql.query('CREATE INDEX login_attempts_expires_at ON login_attempts (expires_at)');
    await sql.query(`
      CREATE TABLE provider_records (
        provider text NOT NULL,
        collection text NOT NULL,
        key text NOT NULL,
        value json NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        PRIMARY KEY (provider, collection, key)
      )`);
    await sql.query('CREATE INDEX provider_records_expires_at ON provider_records (expires_at)');
  },
};
