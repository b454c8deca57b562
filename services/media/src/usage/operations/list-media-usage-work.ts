import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { selectWork, workOrder } from '../usage-work.repository.js';
import type { WorkItem, WorkQuery } from '../usage.schemas.js';

/**
 * One page of the entries of a collection whose indexing waits or has failed (document 1, Media 10).
 * @throws QuireError INVALID_CURSOR.
 */
export async function listMediaUsageWork(
  ctx: Context,
  { cursor, limit, ...filter }: WorkQuery,
): Promise<{ items: WorkItem[]; nextCursor?: string }> {
  const { tenant } = ctx.principal;
  const scope = cursorScope({ operation: 'listMediaUsageWork', tenant: tenant.id, ...filter });
  const page = new KeysetPage(workOrder, scope, { cursor, limit });
  const rows = await selectWork(ctx.db, tenant, filter, page);
  return page.cut(rows, ({ contentId, collectionId }) => ({ value: contentId, id: collectionId }));
}
