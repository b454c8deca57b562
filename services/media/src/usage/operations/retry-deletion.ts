import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { isToBeMadeDue, workChanged } from '../retry.policy.js';
import { deletionOf, makeDeletionDue } from '../usage-deletions.repository.js';
import type { DeletionItem } from '../usage.schemas.js';

/**
 * Has the usage of a collection that is gone forgotten, at once, where that was put off; saying it twice changes nothing (contract 13).
 * @throws QuireError NOT_FOUND, WORK_LEASE_ACTIVE, WORK_CHANGED.
 */
export async function retryDeletion(
  ctx: Context,
  collectionId: string,
): Promise<{ changed: boolean; item: DeletionItem }> {
  const { tenant } = ctx.principal;
  const deletion = await deletionOf(ctx.db, tenant, collectionId);
  if (!deletion) throw notFound('collection deletion');
  if (!isToBeMadeDue(deletion)) return { changed: false, item: deletion.item };
  const item = await makeDeletionDue(ctx.db, tenant, deletion);
  if (!item) throw workChanged();
  return { changed: true, item };
}
