import type { Sql } from '@quire/database';
import { monotonicFactory } from 'ulid';
import type { AuditedBy, AuditEvent } from './audit-event.js';
import { insertEvent, pruneEvents } from './audit.repository.js';

const hourMs = 3_600_000;
/** Most old events that one write removes. */
const pruneBatch = 500;
const maximumTenants = 10_000;
/** What one process tells in one millisecond is listed in the order in which it happened. */
const nextId = monotonicFactory();

/**
 * Who did what, when, from where. An event is written in the transaction of what it tells of: there is neither a deed
 * without its line nor a line without its deed. Now and then a writer removes some of what is too old.
 */
export class AuditLog {
  /** When a tenant's log is looked through again, in milliseconds since the epoch. */
  private readonly pruneAt = new Map<string, number>();

  constructor(private readonly retentionDays: number) {}

  /** Writes an event into the caller's transaction. */
  async record(tx: Sql, event: AuditEvent): Promise<void> {
    const { by, action, target, details } = event;
    await insertEvent(tx, {
      id: nextId(),
      action,
      ...actorOf(event),
      targetType: target?.type ?? null,
      targetId: target?.id ?? null,
      userId: event.userId ?? (target?.type === 'user' ? target.id : null),
      clientAddress: by.clientAddress,
      requestId: by.requestId,
      details: details ?? {},
    });
    await this.pruneNowAndThen(tx, by.principal.tenant.id);
  }

  /** Once an hour a tenant, one batch; more often while there is more than a batch. */
  private async pruneNowAndThen(tx: Sql, tenantId: string): Promise<void> {
    const now = Date.now();
    if ((this.pruneAt.get(tenantId) ?? 0) > now) return;
    const removed = await pruneEvents(tx, this.retentionDays, pruneBatch);
    if (removed === pruneBatch) return;
    if (this.pruneAt.size >= maximumTenants) this.pruneAt.clear();
    this.pruneAt.set(tenantId, now + hourMs);
  }
}

function actorOf({ by, actorId }: { by: AuditedBy; actorId?: string | undefined }) {
  const { kind, userId, actor } = by.principal;
  return { actorKind: kind, actorId: actorId ?? userId ?? actor ?? null };
}
