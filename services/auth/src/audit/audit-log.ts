import type { Queryable } from '@quire/database';
import { monotonicFactory } from 'ulid';
import type { AuditedBy, AuditEvent } from './audit-event.js';
import { insertRecord } from './audit.repository.js';

/** What one process records in one millisecond is listed in the order in which it happened. */
const nextId = monotonicFactory();

/** Is told of events in the transaction that writes them. */
export type AuditObserver = (tx: Queryable, event: AuditEvent) => Promise<void>;

/**
 * Who did what, when, from where. An event is written in the transaction of what it tells of: there is neither a deed
 * without its record nor a record without its deed. The commit chains the record (audit.tables.ts).
 */
export class AuditLog {
  /** @param observe what else is done about an event; nothing unless given */
  constructor(private readonly observe?: AuditObserver) {}

  /** Writes an event into the caller's transaction. */
  async record(tx: Queryable, event: AuditEvent): Promise<void> {
    const { by, action, target, details } = event;
    const now = Date.now();
    await insertRecord(tx, {
      id: nextId(now),
      action,
      createdAt: new Date(now).toISOString(),
      actor: actorOf(event),
      target: target && { type: target.type, id: target.id },
      userId: event.userId ?? (target?.type === 'user' ? target.id : null),
      clientAddress: by.clientAddress,
      requestId: by.requestId,
      details: details ?? {},
    });
    await this.observe?.(tx, event);
  }
}

function actorOf({ by, actorId }: { by: AuditedBy; actorId?: string | undefined }) {
  const { kind, userId, actor } = by.principal;
  return { kind, id: actorId ?? userId ?? actor ?? null };
}
