import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { auditOrder, selectEvents } from '../audit.repository.js';
import type { AuditEntryResponse, AuditQuery } from '../audit.schemas.js';

/** One page of the audit log, newest first. @throws QuireError INVALID_CURSOR */
export async function listAuditLog(
  ctx: Context,
  { cursor, limit, ...filters }: AuditQuery,
): Promise<{ items: AuditEntryResponse[]; nextCursor?: string }> {
  const scope = cursorScope({ operation: 'listAuditLog', tenant: ctx.principal.tenant.id, filters });
  const page = new KeysetPage(auditOrder, scope, { cursor, limit });
  const rows = await selectEvents(ctx.db, filters, page);
  return page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
}
