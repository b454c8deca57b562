import type { Migration } from '@quire/database';

/** Creates the tables of passkeys and of pending challenges. */
export const passkeysMigration: Migration = {
  name: '0010-passkeys',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE passkeys (
        id text PRIMARY KEY,
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        credential_id text NOT NULL,
        public_key bytea NOT NULL,
        counter bigint NOT NULL,
        device_type text NOT NULL,
        backed_up boolean NOT NULL,
        transports text[] NOT NULL,
        name text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        last_used_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await sql.query('CREATE UNIQUE INDEX passkeys_credential_id ON passkeys (credential_id)');
    await sql.query('CREATE INDEX passkeys_user_id ON passkeys (user_id)');
    await sql.query(`
      CREATE TABLE passkey_challenges (
        challenge_hash text PRIMARY KEY,
        purpose text NOT NULL,
        user_id text,
        passkey_name text,
        expires_at timestamptz(3) NOT NULL
      )`);
    await sql.query('CREATE INDEX passkey_challenges_expires_at ON passkey_challenges (expires_at)');
  },
};
