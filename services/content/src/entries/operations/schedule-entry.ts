import type { Context } from '@quire/context';
import { invalidInput } from '@quire/errors';
import { outboxRow, publishScheduledEntry, timestampOf } from '@quire/messages';
import { requireOnRow } from '@quire/permissions';
import { changeEntry, type EntryTarget } from '../change-entry.js';
import { requireCurrent, requireSlugWhenRoutable } from '../entries.policy.js';
import { entryAnswer, type EntryAnswer } from '../entry-answer.js';
import type { EntryServices } from '../entry-services.js';

/**
 * Sets the time at which an entry, or the draft of a published one, goes live. A time set before is replaced.
 * @param scheduledAt ISO instant with Z or an offset, later than now.
 * @throws QuireError NOT_FOUND, FORBIDDEN, CONFLICT, VALIDATION_ERROR (not in the future, or no slug when routable).
 */
export async function scheduleEntry(
  ctx: Context,
  services: EntryServices,
  target: EntryTarget,
  { scheduledAt, _rev }: { scheduledAt: string; _rev?: string | undefined },
): Promise<EntryAnswer> {
  const due = new Date(scheduledAt);
  if (due.getTime() <= Date.now())
    throw invalidInput([{ path: 'scheduledAt', message: 'must lie in the future' }]);
  const { definition, row } = await changeEntry(ctx, services, target, (definition, row) => {
    requireOnRow(ctx.principal, 'content:publish', row.authorId);
    requireCurrent(row, _rev);
    requireSlugWhenRoutable(definition, row.slug);
    const dueAt = due.toISOString();
    const message = {
      tenantId: ctx.principal.tenant.id,
      collection: definition.slug,
      entryId: row.id,
      scheduledAt: timestampOf(due),
    };
    return {
      columns: {
        scheduledAt: dueAt,
        ...(row.status === 'published' ? {} : { status: 'scheduled' as const }),
      },
      touches: { updatedAt: true, version: true },
      schedule: { dueAt },
      message: outboxRow(publishScheduledEntry, message, { dueAt: due }),
    };
  });
  return entryAnswer(ctx, services, { definition, row });
}

/**
 * Cancels a pending schedule; without one, nothing changes.
 * @throws QuireError NOT_FOUND, FORBIDDEN.
 */
export async function unscheduleEntry(
  ctx: Context,
  services: EntryServices,
  target: EntryTarget,
): Promise<EntryAnswer> {
  const { definition, row } = await changeEntry(ctx, services, target, (_, row) => {
    requireOnRow(ctx.principal, 'content:publish', row.authorId);
    if (row.scheduledAt === null) return undefined;
    return {
      columns: { scheduledAt: null, ...(row.status === 'scheduled' ? { status: 'draft' as const } : {}) },
      touches: { updatedAt: true, version: true },
      schedule: 'cancel' as const,
    };
  });
  return entryAnswer(ctx, services, { definition, row });
}
