import type { Queryable } from '@quire/database';
import { monotonicFactory } from 'ulid';
import type { AuditedBy, AuditEvent } from './audit-event.js';
import { insertRecord } from './audit.repository.js';

/** Monotonic: records of one process within a millisecond keep their order. */
const nextId = monotonicFactory();

/** Called with each event in the transaction that records it. */
export type AuditObserver = (tx: Queryable, event: AuditEvent) => Promise<void>;

/**
 * Records actions with their actor, time and origin. An event is recorded in the transaction of the action: neither is
 * committed without the other. The commit chains the record (migration 0080-audit-chain).
 */
export class AuditLog {
  /** @param observe called after each record */
  constructor(private readonly observe?: AuditObserver) {}

  /** Inserts the record of an event in the caller's transaction. */
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
