import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { toOperationResponse, type OperationResponse } from './operation-response.js';
import { operationOrder, selectOperations } from './operations.repository.js';
import type { OperationKind } from './transfer-operation.entity.js';

/** A page of operations, the newest first. */
export interface OperationList {
  items: OperationResponse[];
  nextCursor?: string;
}

/**
 * The operations of one kind, the newest first.
 * @param list.id of the operation that lists them: its cursors are valid for no other
 * @throws QuireError INVALID_CURSOR
 */
export async function listOperations(
  ctx: Context,
  list: { id: string; kind: OperationKind },
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<OperationList> {
  const scope = cursorScope({ operation: list.id, tenant: ctx.principal.tenant.id });
  const page = new KeysetPage(operationOrder, scope, { cursor, limit });
  const rows = await selectOperations(ctx.db, list.kind, page);
  const { items, ...rest } = page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
  return { items: items.map(toOperationResponse), ...rest };
}
