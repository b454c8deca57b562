import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { outboxRow, recordAuditEvent, sendMessages, timestampOf, type OutboxRow } from '@quire/jobs';
import { ulid } from '@quire/values';
import { auditActions, type AuditAction, type AuditActions, type AuditingService } from './actions.js';

/** The object of an event: a row, by its id or slug. */
export interface AuditTarget {
  type:
    | 'collection'
    | 'field'
    | 'block-type'
    | 'relation'
    | 'entry'
    | 'revision'
    | 'byline'
    | 'taxonomy'
    | 'term'
    | 'menu'
    | 'comment'
    | 'redirect'
    | 'media'
    | 'approval'
    | 'site-export'
    | 'site-import';
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
 * @param service whose outbox has the events, for actions of several services
 */
export async function audit(
  ctx: Pick<Context, 'principal' | 'clientAddress' | 'requestId'>,
  tx: Queryable,
  events: AuditEvent | readonly AuditEvent[],
  service?: AuditingService,
): Promise<void> {
  const [first, ...more] = [events].flat() as AuditEvent[];
  if (!first) return;
  const outbox = service ?? auditActions[first.action].service;
  if (outbox === null) throw new Error(`${first.action} has no service`);
  await sendMessages(
    tx,
    outbox,
    [first, ...more].map((event) => rowOf(ctx, event)),
  );
}

/**
 * Records the call of a writing MCP tool, before its operation begins, with the token and the application that has it.
 * @param service that executes the tool
 */
export async function auditToolCall(
  ctx: Context,
  service: AuditingService,
  { tool, target }: { tool: string; target: AuditTarget | null },
): Promise<void> {
  const { tokenId = null, clientId = null } = ctx.principal;
  await audit(ctx, ctx.db, { action: 'tool.called', target, details: { tool, tokenId, clientId } }, service);
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
