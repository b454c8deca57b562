import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { JobsOfSite, SiteJobs } from '@quire/jobs';

/** The background jobs of the site. @throws QuireError SERVICE_UNAVAILABLE while the queue store does not respond */
export async function getSiteJobs(ctx: Context, jobs: SiteJobs): Promise<JobsOfSite> {
  try {
    return await jobs.of(ctx.principal.tenant.id);
  } catch (error) {
    throw new QuireError('SERVICE_UNAVAILABLE', 'The queues are unavailable; retry later', { cause: error });
  }
}
