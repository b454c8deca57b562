import {
  AuditHeads,
  chainMaintenance,
  notifyCommentApprovedJob,
  notifyTransferApprovalJob,
  recordEventJob,
} from '@quire/auth-service';
import type { Context } from '@quire/context';
import { jobHandler, notifyCommentApproved, notifyTransferApproval, recordAuditEvent } from '@quire/jobs';
import { type ServiceDatabases } from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';
import { linkOriginsOf, startMails } from './mails.js';
import { startSweep } from './sweeps.js';
import { startJobs, systemContexts } from './worker.js';

/**
 * Starts the jobs that turn messages of other services into mails to users and records of the audit log, and the
 * maintenance of that log.
 */
export async function startAuthWorker(container: AppContainer, databases: ServiceDatabases): Promise<void> {
  const { environment, logger } = container;
  const registry = await container.registry();
  const services = {
    mails: await startMails(container, databases),
    origins: linkOriginsOf(container, registry),
    limiter: await container.rateLimiter(),
  };
  const contextOf = await systemContexts(container, { databases, actor: 'system:mail' });
  await startJobs(container, {
    target: 'auth-worker',
    contextOf,
    handlers: [
      jobHandler(notifyCommentApproved, (ctx: Context, message) =>
        notifyCommentApprovedJob(ctx, services, message),
      ),
      jobHandler(notifyTransferApproval, (ctx: Context, message) =>
        notifyTransferApprovalJob(ctx, services, message),
      ),
      // A repeated run is harmless: the record has the id of the message.
      jobHandler(recordAuditEvent, (ctx: Context, message) => recordEventJob(ctx, message)),
    ],
  });
  const upkeep = chainMaintenance({
    tenants: () => registry.list(),
    tenantDatabase: (tenant) => databases.tenant(tenant),
    heads: await auditHeadsOf(container),
    retentionDays: environment.CMS_AUDIT_RETENTION_DAYS,
    logger,
  });
  startSweep(container, 'audit_chains', upkeep);
}

/** The daily heads of the audit logs of sites, which the registry stores. */
export async function auditHeadsOf(container: AppContainer): Promise<AuditHeads> {
  return new AuditHeads(await container.registryTables());
}
