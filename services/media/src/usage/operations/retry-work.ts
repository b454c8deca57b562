import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { isToBeMadeDue, workChanged } from '../retry.policy.js';
import { makeWorkDue, workOf } from '../usage-work.repository.js';
import type { WorkItem } from '../usage.schemas.js';

/**
 * Has the indexing of an entry tried again at once; saying it twice changes nothing (document 1, Media 10).
 * @throws QuireError NOT_FOUND, WORK_LEASE_ACTIVE, WORK_CHANGED.
 */
export async function retryWork(
  ctx: Context,
  address: { collectionId: string; contentId: string },
): Promise<{ changed: boolean; item: WorkItem }> {
  const { tenant } = ctx.principal;
  const work = await workOf(ctx.db, tenant, address);
  if (!work) throw notFound('work item');
  if (!isToBeMadeDue(work)) return { changed: false, item: work.item };
  const item = await makeWorkDue(ctx.db, tenant, work);
  if (!item) throw workChanged();
  return { changed: true, item };
}
