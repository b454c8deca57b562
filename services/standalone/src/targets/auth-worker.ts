import { authEntities, mailApprovedCommentJob } from '@quire/auth-service';
import type { Context } from '@quire/context';
import { jobHandler, mailApprovedComment } from '@quire/messages';
import type { Installation } from '../installation.js';
import { linkOriginsOf, startMails } from './mails.js';
import { startJobs, systemContexts } from './worker.js';

/** Starts what turns messages of other services into mails to users. */
export async function startAuthWorker(installation: Installation): Promise<void> {
  const databases = await installation.databases('auth', authEntities);
  const services = {
    mails: startMails(installation),
    origins: linkOriginsOf(installation, await installation.registry()),
  };
  const contextOf = await systemContexts(installation, { databases, actor: 'system:mail' });
  await startJobs(installation, {
    target: 'auth-worker',
    contextOf,
    handlers: [
      jobHandler(mailApprovedComment, (ctx: Context, message) =>
        mailApprovedCommentJob(ctx, services, message),
      ),
    ],
  });
}
