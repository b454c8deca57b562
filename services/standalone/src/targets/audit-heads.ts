import { AuditHeads } from '@quire/auth-service';
import { registrySchema } from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';

/** The daily heads of the audit logs of sites, which the registry stores. */
export async function auditHeadsOf(container: AppContainer): Promise<AuditHeads> {
  return new AuditHeads((await container.registryDatabases()).inSchema(registrySchema));
}
