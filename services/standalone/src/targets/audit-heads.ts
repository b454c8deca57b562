import { AuditHeads } from '@quire/auth-service';
import { registrySchema } from '@quire/tenancy';
import type { Installation } from '../installation.js';

/** What the registry knows of the audit logs of sites. */
export async function auditHeadsOf(installation: Installation): Promise<AuditHeads> {
  return new AuditHeads((await installation.registryDatabases()).inSchema(registrySchema));
}
