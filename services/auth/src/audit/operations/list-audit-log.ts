import type { Context } from '@quire/context';
import { Parameters } from '@quire/database';
import { newestFirst, type Page } from '../../pagination/index.js';
import { findEvents } from '../audit.repository.js';
import type { AuditAnswer, AuditQuery } from '../audit.schemas.js';

/** One page of the audit log, newest first. @throws QuireError INVALID_CURSOR */
export async function listAuditLog(
  ctx: Context,
  { cursor, limit, ...filters }: AuditQuery,
): Promise<Page<AuditAnswer>> {
  const place = new Parameters();
  const boundTo = { operation: 'listAuditLog', tenant: ctx.principal.tenant.id, filters };
  return newestFirst({ boundTo, table: 'a', place }, { cursor, limit }, (clause) =>
    findEvents(ctx.db, filters, place, clause),
  );
}
