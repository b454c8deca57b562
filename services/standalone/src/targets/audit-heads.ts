import { AuditHeads } from '@quire/auth-service';
import { registrySchema } from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';

/** What the registry knows of the audit logs of sites. */
export async function auditHeadsOf(container: AppContainer): Promise<AuditHeads> {
  return new AuditHeads((await container.registryDatabases()).inSchema(registrySchema));
}
