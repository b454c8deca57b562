import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { outboxRow, recordAuditEvent, sendMessages, timestampOf, type OutboxRow } from '@quire/jobs';
import { ulid } from 'ulid';
import { auditActions, type AuditAction, type AuditActions } from './actions.js';

/** The object of an event: a row, by its id or slug. */
export interface AuditTarget {
  type: 'collection' | 'field' | 'block-type' | 'relation' | 'entry' | 'comment' | 'redirect' | 'media';
  id: string;
}

/** An event of the audit log. Details without content are left out. */
export type AuditEvent = {
  [Action in AuditAction]: {
    action: Action;
    /** Null where the event is about the site. */
    target: AuditTarget | null;
  } & (AuditActions[Action] extends Record<string, never>
    ? { details?: undefined }
    : { details: AuditActions[Action] });
}[AuditAction];

/**
 * Records events in the audit log of the site when `tx` commits. The context gives actor and client address; the time
 * is the current time. One statement writes all events to the outbox, and `auth-worker` appends each to the log once.
 * @param tx the transaction of the change, or a database if there is no other write
 * @param events events of one service; an empty list writes nothing
 */
export async function audit(
  ctx: Pick<Context, 'principal' | 'clientAddress' | 'requestId'>,
  tx: Queryable,
  events: AuditEvent | readonly AuditEvent[],
): Promise<void> {
  const [first, ...more] = [events].flat() as AuditEvent[];
  if (!first) return;
  const { service } = auditActions[first.action];
  await sendMessages(
    tx,
    service,
    [first, ...more].map((event) => rowOf(ctx, event)),
  );
}

function rowOf(
  { principal, clientAddress, requestId }: Parameters<typeof audit>[0],
  { action, target, details }: AuditEvent,
): OutboxRow {
  const actorId = principal.userId ?? principal.actor;
  return outboxRow(recordAuditEvent, {
    tenantId: principal.tenant.id,
    eventId: ulid(),
    occurredAt: timestampOf(new Date()),
    action,
    actorKind: principal.kind,
    ...(actorId === undefined ? {} : { actorId }),
    ...(target === null ? {} : { targetType: target.type, targetId: target.id }),
    ...(clientAddress === null ? {} : { clientAddress }),
    requestId,
    details: details ?? {},
  });
}
