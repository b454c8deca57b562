import type { Context } from '@quire/context';
import { dateOf, type AuditedEvent } from '@quire/messages';
import { insertRecord } from '../audit.repository.js';

/**
 * Appends an event of another service to the audit log of its site. Run twice, it appends it once: the id of the record
 * is the message's. The action is taken as it is: the service that did it may be of a newer version.
 * @returns `known` when the log has the event already
 */
export async function recordEventJob(ctx: Context, event: AuditedEvent): Promise<'recorded' | 'known'> {
  const { eventId, action, occurredAt, actorKind, actorId, targetType, targetId } = event;
  if (eventId === '' || occurredAt === undefined) throw new Error('An event has neither an id nor a time');
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
