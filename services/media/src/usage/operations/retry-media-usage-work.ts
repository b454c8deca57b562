import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { isRetryable, workChangedError } from '../retry.policy.js';
import { retryWorkNow, selectWorkItem } from '../usage-work.repository.js';
import type { WorkItem } from '../usage.schemas.js';

/**
 * Has the indexing of an entry tried again at once; saying it twice changes nothing (document 1, Media 10).
 * @throws QuireError NOT_FOUND, WORK_LEASE_ACTIVE, WORK_CHANGED.
 */
export async function retryMediaUsageWork(
  ctx: Context,
  address: { collectionId: string; contentId: string },
): Promise<{ changed: boolean; item: WorkItem }> {
  const { tenant } = ctx.principal;
  const work = await selectWorkItem(ctx.db, tenant, address);
  if (!work) throw notFound('work item');
  if (!isRetryable(work)) return { changed: false, item: work.item };
  const item = await retryWorkNow(ctx.db, tenant, work);
  if (!item) throw workChangedError();
  return { changed: true, item };
}
