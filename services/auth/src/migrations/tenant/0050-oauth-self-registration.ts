import type { Migration } from '@quire/database';

/** Marks dynamically registered applications: those that were never authorised are deleted. */
export const selfRegistrationMigration: Migration = {
  name: '0050-oauth-self-registration',
  up: async (sql) => {
    await sql.query('ALTER TABLE oauth_clients ADD COLUMN registered_itself boolean NOT NULL DEFAULT false');
    await sql.query(
      'CREATE INDEX oauth_clients_registered_itself ON oauth_clients (created_at) WHERE registered_itself',
    );
  },
};
