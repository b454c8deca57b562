import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { dateOf, type AuditedEvent } from '@quire/jobs';
import { auditOrder, insertRecord, selectEvents } from './audit.repository.js';
import type { AuditEntryResponse, AuditQuery } from './audit.schemas.js';

/** @returns one page of the audit log, newest first. @throws QuireError INVALID_CURSOR */
export async function listAuditLog(
  ctx: Context,
  { cursor, limit, ...filters }: AuditQuery,
): Promise<{ items: AuditEntryResponse[]; nextCursor?: string }> {
  const scope = cursorScope({ operation: 'listAuditLog', tenant: ctx.principal.tenant.id, filters });
  const page = new KeysetPage(auditOrder, scope, { cursor, limit });
  const rows = await selectEvents(ctx.db, filters, page);
  return page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
}

/**
 * Appends an event of another service to the audit log of its site. The message's id is the record's id, so a repeated
 * run inserts nothing. Unknown actions are accepted: the other service may have a newer version.
 * @returns `known` when the event is recorded already.
 * @throws Error for a message without an id or a time
 */
export async function recordEventJob(ctx: Context, event: AuditedEvent): Promise<'recorded' | 'known'> {
  const { eventId, action, occurredAt, actorKind, actorId, targetType, targetId } = event;
  if (eventId === '' || occurredAt === undefined) throw new Error('An audited event lacks its id or time');
  const isInserted = await insertRecord(ctx.db, {
    id: eventId,
    action,
    createdAt: dateOf(occurredAt).toISOString(),
    actor: { kind: actorKind, id: actorId ?? null },
    target: targetType === undefined ? null : { type: targetType, id: targetId ?? '' },
    userId: null,
    clientAddress: event.clientAddress ?? null,
    requestId: event.requestId ?? null,
    details: event.details ?? {},
  });
  return isInserted ? 'recorded' : 'known';
}
