import type { Context } from '@quire/context';
import { invalidInput } from '@quire/errors';
import { outboxRow, publishScheduledEntry, timestampOf } from '@quire/messages';
import { assertOnRow } from '@quire/permissions';
import { saveEntry, type EntryTarget } from '../save-entry.js';
import { assertRevisionMatches, assertSlugIfRoutable } from '../entries.policy.js';
import { toEntryResponse, type EntryResponse } from '../entry.mapper.js';
import type { EntryDeps } from '../entry-deps.js';

/**
 * Sets the time at which an entry, or the draft of a published one, goes live. A time set before is replaced.
 * @param scheduledAt ISO instant with Z or an offset, later than now.
 * @throws QuireError NOT_FOUND, FORBIDDEN, CONFLICT, VALIDATION_ERROR (not in the future, or no slug when routable).
 */
export async function scheduleContent(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
  { scheduledAt, _rev }: { scheduledAt: string; _rev?: string | undefined },
): Promise<EntryResponse> {
  const due = new Date(scheduledAt);
  if (due.getTime() <= Date.now())
    throw invalidInput([{ path: 'scheduledAt', message: 'must be in the future' }]);
  const { definition, row } = await saveEntry(ctx, deps, target, (definition, row) => {
    assertOnRow(ctx.principal, 'content:publish', row.authorId);
    assertRevisionMatches(row, _rev);
    assertSlugIfRoutable(definition, row.slug);
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
  return toEntryResponse(ctx, deps, { definition, row });
}

/**
 * Cancels a pending schedule; without one, nothing changes.
 * @throws QuireError NOT_FOUND, FORBIDDEN.
 */
export async function unscheduleContent(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
): Promise<EntryResponse> {
  const { definition, row } = await saveEntry(ctx, deps, target, (_, row) => {
    assertOnRow(ctx.principal, 'content:publish', row.authorId);
    if (row.scheduledAt === null) return undefined;
    return {
      columns: { scheduledAt: null, ...(row.status === 'scheduled' ? { status: 'draft' as const } : {}) },
      touches: { updatedAt: true, version: true },
      schedule: 'cancel' as const,
    };
  });
  return toEntryResponse(ctx, deps, { definition, row });
}
