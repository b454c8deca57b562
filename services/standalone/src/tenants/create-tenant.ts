import { isDeepStrictEqual } from 'node:util';
import { invalidInput, QuireError } from '@quire/errors';
import { endPurge, findTenantDetails, type NewTenant, type TenantDetails } from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';
import { migrateTablesOf, type OwnedTables } from '../migration/migrate-all.js';
import { ownedTables } from '../services.js';
import { announceTenants } from './announce-tenants.js';
import { logged } from './logged-change.js';
import { purgeTenant } from './purge-tenant.js';

const retryAfterSeconds = 5;

/** A site to create, and the operator who creates it. */
export interface TenantCreation {
  /** Settings, limits and plan are validated ones. */
  tenant: NewTenant;
  hosts: readonly string[];
  actor: string;
}

/**
 * Creates a site with its tables. A creation that fails leaves nothing in the registry, and no tables in databases that
 * respond; tables in others are completed by a later creation.
 * @throws QuireError VALIDATION_ERROR, CONFLICT
 */
export async function createTenant(
  container: AppContainer,
  { tenant, hosts, actor }: TenantCreation,
): Promise<void> {
  const owned = await ownedTables(container);
  const { id, database, plan } = tenant;
  assertDatabase(owned, database);
  const detail = { hosts: hosts.join(' '), ...(database !== null && { database }), ...(plan && { plan }) };
  const registry = await container.registry();
  await registry.add(tenant, hosts, logged({ actor, action: 'tenant create', target: id, detail }));
  try {
    await migrateTablesOf(tenant, owned, await tablesOf(container));
  } catch (error) {
    await undo(container, { id, actor });
    throw error;
  } finally {
    await announceTenants(container);
  }
}

/**
 * Creates a site, or completes an earlier creation of the same one: a call may be repeated until it succeeds.
 * @returns whether this call has created it
 * @throws QuireError VALIDATION_ERROR; CONFLICT when the site exists deleted, with another database, without one of the
 *   hosts or with other options than the given ones, and when another site has a host; SERVICE_UNAVAILABLE while it is
 *   being purged
 */
export async function ensureTenant(container: AppContainer, creation: TenantCreation): Promise<boolean> {
  const { tenant } = creation;
  const registry = await tablesOf(container);
  let known = await findTenantDetails(registry, tenant.id);
  if (!known) {
    try {
      await createTenant(container, creation);
      return true;
    } catch (error) {
      known = await findTenantDetails(registry, tenant.id);
      // A concurrent call has created it.
      if (!known || !(error instanceof QuireError) || error.code !== 'CONFLICT') throw error;
    }
  }
  assertSame(known, creation);
  const site = { ...tenant, id: known.storageId };
  await migrateTablesOf(site, await ownedTables(container), registry);
  // The concurrent call may have failed, and removed it.
  const completed = await findTenantDetails(registry, tenant.id);
  if (!completed) throw beingDeleted(tenant.id);
  assertSame(completed, creation);
  await announceTenants(container);
  return false;
}

/** @throws QuireError VALIDATION_ERROR for a key without an address */
function assertDatabase(owned: OwnedTables, key: string | null): void {
  if (owned.every(({ databases }) => databases.keys.includes(key))) return;
  const message = `no address is configured for it: set DATABASE_URL_${key}`;
  throw invalidInput([{ path: 'database', message }]);
}

/** Removes a site whose creation failed, unless another call has completed it. */
async function undo(container: AppContainer, { id, actor }: { id: string; actor: string }): Promise<void> {
  const reason = 'the creation failed';
  try {
    await purgeTenant(container, { id, condition: 'unmade', actor, reason });
  } catch (error) {
    container.logger.warn({ err: error, tenant: id }, 'tables of a failed creation may be left');
    const registry = await tablesOf(container);
    await registry.transaction((tx) => endPurge(tx, id)).catch(() => undefined);
  }
}

/** @throws QuireError see `ensureTenant` */
function assertSame(known: TenantDetails, { tenant, hosts }: TenantCreation): void {
  const { id, database } = tenant;
  const conflict = (what: string) =>
    new QuireError('CONFLICT', `Not created: the tenant ${id} exists, ${what}`);
  if (known.state === 'purging') throw beingDeleted(id);
  if (known.id !== id)
    throw new QuireError(
      'CONFLICT',
      `Not created: the tenant ${known.id} had the id ${id} before its rename`,
    );
  if (known.state === 'pending-deletion')
    throw conflict('deleted: restore it, or purge it before another one is created');
  if (known.database !== database) throw conflict(`in the database ${known.database ?? 'of DATABASE_URL'}`);
  const missing = hosts.find((host) => !known.hosts.includes(host.toLowerCase()));
  if (missing !== undefined) throw conflict(`without the host ${missing}`);
  for (const option of ['settings', 'limits', 'plan'] as const)
    if (tenant[option] !== undefined && !isDeepStrictEqual(tenant[option], known[option]))
      throw conflict(`with other ${option}`);
}

const beingDeleted = (id: string) =>
  new QuireError('SERVICE_UNAVAILABLE', `The tenant ${id} is being deleted. Retry later.`, {
    retryAfterSeconds,
  });

async function tablesOf(container: AppContainer) {
  return await container.registryTables();
}
