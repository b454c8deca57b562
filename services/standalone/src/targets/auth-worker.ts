import { authEntities, chainUpkeep, mailApprovedCommentJob, recordEventJob } from '@quire/auth-service';
import type { Context } from '@quire/context';
import { jobHandler, mailApprovedComment, recordAuditEvent } from '@quire/messages';
import type { Installation } from '../installation.js';
import { auditHeadsOf } from './audit-heads.js';
import { linkOriginsOf, startMails } from './mails.js';
import { startJobs, systemContexts } from './worker.js';

/** Starts what turns messages of other services into mails to users and records of the audit log, and the upkeep of that log. */
export async function startAuthWorker(installation: Installation): Promise<void> {
  const { environment, lifecycle, logger } = installation;
  const databases = await installation.databases('auth', authEntities);
  const registry = await installation.registry();
  const services = {
    mails: startMails(installation),
    origins: linkOriginsOf(installation, registry),
  };
  const contextOf = await systemContexts(installation, { databases, actor: 'system:mail' });
  await startJobs(installation, {
    target: 'auth-worker',
    contextOf,
    handlers: [
      jobHandler(mailApprovedComment, (ctx: Context, message) =>
        mailApprovedCommentJob(ctx, services, message),
      ),
      // Twice is harmless: the record has the id of the message.
      jobHandler(recordAuditEvent, (ctx: Context, message) => recordEventJob(ctx, message)),
    ],
  });
  const upkeep = chainUpkeep({
    tenants: () => registry.list(),
    tenantDatabase: (tenant) => databases.tenant(tenant),
    heads: await auditHeadsOf(installation),
    retentionDays: environment.CMS_AUDIT_RETENTION_DAYS,
    logger,
  });
  upkeep.start(0);
  lifecycle.started('audit-upkeep', () => upkeep.stop());
}
