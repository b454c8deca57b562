import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { deletionOrder, selectDeletions } from '../usage-deletions.repository.js';
import type { DeletionItem, DeletionsQuery } from '../usage.schemas.js';

/**
 * One page of the collections that are gone and whose usage is not forgotten yet, by state (contract 13).
 * @throws QuireError INVALID_CURSOR.
 */
export async function listMediaUsageCollectionDeletions(
  ctx: Context,
  { cursor, limit, state }: DeletionsQuery,
): Promise<{ items: DeletionItem[]; nextCursor?: string }> {
  const { tenant } = ctx.principal;
  const operation = 'listMediaUsageCollectionDeletions';
  const scope = cursorScope({ operation, tenant: tenant.id, state });
  const page = new KeysetPage(deletionOrder, scope, { cursor, limit });
  const rows = await selectDeletions(ctx.db, tenant, state, page);
  return page.cut(rows, ({ collectionId }) => ({ value: collectionId, id: collectionId }));
}
