import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { isDatabaseKey, isHostName, isTenantId, type Tenant } from './tenant.js';

/** Changes in several statements wait for each other here: in the middle of them they would wait in a circle. */
export async function lockRegistry(tx: Queryable): Promise<void> {
  await tx.query('SELECT 1 FROM registry_version FOR UPDATE');
}

export async function insertHosts(
  sql: Queryable,
  id: string,
  hosts: readonly string[],
  onConflict: '' | 'ON CONFLICT (host) DO NOTHING' = '',
): Promise<void> {
  await sql.query(`INSERT INTO tenant_hosts (host, tenant_id) SELECT unnest($1::text[]), $2 ${onConflict}`, [
    hosts,
    id,
  ]);
}

/** @throws QuireError VALIDATION_ERROR for an invalid id, database key or host */
export function checkRegistration(tenant: Tenant, hosts: readonly string[]): void {
  if (!isTenantId(tenant.id)) {
    throw new QuireError(
      'VALIDATION_ERROR',
      'The tenant id must be lower-case letters, digits and -, 1 to 40',
    );
  }
  if (tenant.database !== null && !isDatabaseKey(tenant.database)) {
    throw new QuireError('VALIDATION_ERROR', 'The database must be a key such as EU1 (of DATABASE_URL_EU1)');
  }
  const wrong = hosts.find((host) => !isHostName(host));
  if (wrong !== undefined) throw new QuireError('VALIDATION_ERROR', `Not a host name: ${wrong}`);
}
