import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { isRetryable, workChangedError } from '../retry.policy.js';
import { selectDeletion, retryDeletionNow } from '../usage-deletions.repository.js';
import type { DeletionItem } from '../usage.schemas.js';

/**
 * Has the usage of a collection that is gone forgotten, at once, where that was put off; saying it twice changes
 * nothing (contract 13).
 * @throws QuireError NOT_FOUND, WORK_LEASE_ACTIVE, WORK_CHANGED.
 */
export async function retryMediaUsageCollectionDeletion(
  ctx: Context,
  collectionId: string,
): Promise<{ changed: boolean; item: DeletionItem }> {
  const { tenant } = ctx.principal;
  const deletion = await selectDeletion(ctx.db, tenant, collectionId);
  if (!deletion) throw notFound('collection deletion');
  if (!isRetryable(deletion)) return { changed: false, item: deletion.item };
  const item = await retryDeletionNow(ctx.db, tenant, deletion);
  if (!item) throw workChangedError();
  return { changed: true, item };
}
