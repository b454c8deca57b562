import { QuireError } from '@quire/errors';
import type { Tenant } from '@quire/tenancy';
import type { AppContainer } from './app-container.js';

/** The tenant of an id. @throws QuireError NOT_FOUND */
export async function tenantOf(container: AppContainer, id: string): Promise<Tenant> {
  const tenant = await (await container.registry()).byId(id);
  if (!tenant) throw new QuireError('NOT_FOUND', `There is no tenant ${id}`);
  return tenant;
}

/** The tenant of an id, or all tenants without one. @throws QuireError NOT_FOUND */
export async function tenantsOf(container: AppContainer, id: string | undefined): Promise<readonly Tenant[]> {
  return id === undefined ? (await container.registry()).list() : [await tenantOf(container, id)];
}
