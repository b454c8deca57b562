import { QuireError } from '@quire/errors';
import { storageIdOf, type Tenant } from '@quire/tenancy';
import type { AppContainer } from './app-container.js';

/**
 * The tenant that has an id, or had it before a rename. Its `id` is the storage id.
 * @throws QuireError NOT_FOUND
 */
export async function tenantOf(container: AppContainer, id: string): Promise<Tenant> {
  const tenant = await findTenant(container, id);
  if (!tenant) throw new QuireError('NOT_FOUND', `There is no tenant ${id}`);
  return tenant;
}

/** Like `tenantOf`; undefined when there is none. */
export async function findTenant(container: AppContainer, id: string): Promise<Tenant | undefined> {
  return (await container.registry()).byId(await storageIdOf(await container.registryTables(), id));
}

/** The tenant of an id, or all tenants without one. @throws QuireError NOT_FOUND */
export async function tenantsOf(container: AppContainer, id: string | undefined): Promise<readonly Tenant[]> {
  return id === undefined ? (await container.registry()).list() : [await tenantOf(container, id)];
}
