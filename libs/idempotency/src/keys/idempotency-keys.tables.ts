import { identifier, type Migration } from '@quire/database';
import { sharedSchema } from '@quire/tenancy';

/** Validity of a key after its first response. */
export const retentionInterval = "interval '24 hours'";

/**
 * The responses to requests with a key, across the tenants of a database, so that one statement deletes expired ones.
 */
export function idempotencyKeysMigration(name: string): Migration {
  return {
    name,
    up: async (sql) => {
      await sql.query(`
        CREATE TABLE idempotency_keys (
          tenant_id text NOT NULL,
          key_hash text NOT NULL,
          fingerprint text NOT NULL,
          status smallint NOT NULL,
          answer text NOT NULL,
          created_at timestamptz(3) NOT NULL DEFAULT now(),
          CONSTRAINT idempotency_keys_pkey PRIMARY KEY (tenant_id, key_hash)
        )`);
      await sql.query('CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at)');
    },
  };
}

/** The table of a service, for statements that run in a tenant's schema. */
export function idempotencyKeysTable(service: string): string {
  return `${identifier(sharedSchema(service))}.idempotency_keys`;
}
