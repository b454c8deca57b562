import type { ServiceTables } from '@quire/tenancy';
import { foldersMigration } from './folders/index.js';
import { itemsMigration } from './items/index.js';
import { doomedObjectsMigration } from './objects/index.js';
import { variantsMigration } from './variants/index.js';

/** The media service's tables: one set a tenant, and the objects that are to be deleted across tenants. */
export const mediaTables: ServiceTables = {
  tenant: [foldersMigration, itemsMigration, variantsMigration],
  shared: [doomedObjectsMigration],
};
