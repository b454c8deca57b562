import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { invalidInput, notFound } from '@quire/errors';
import type { authApi } from '@quire/internal-api';
import { outboxRow, publishScheduledEntry, timestampOf } from '@quire/jobs';
import { assertOnRow } from '@quire/permissions';
import { assertRevisionMatches, assertSlugIfRoutable, canSeeDrafts } from './entries.policy.js';
import type { EntryDeps } from './entry-deps.js';
import { toEntryResponse, type EntryResponse } from './entry.mapper.js';
import { loadEntry, readableRows, withDefinition, type EntryTarget } from './load-entry.js';
import { draftFromLive } from './operations/unpublish-content.js';
import { deleteEntry } from './repository/delete-entry.js';
import { selectAuthorIds, selectTranslations, type Translation } from './repository/find-entry.js';
import { lockEntryGroup } from './repository/lock-entry.js';
import { saveEntry, type SaveTarget } from './repository/save-entry.js';

/** An entry with the `_rev` that a client has read; without one the write is unconditional. */
export interface RevisionTarget extends EntryTarget {
  _rev?: string | undefined;
}

/**
 * @returns the distinct authors of a collection's entries that are not in the trash, by name (contract 7).
 * @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE.
 */
export async function listContentAuthors(
  ctx: Context,
  deps: EntryDeps,
  collection: string,
): Promise<{ items: authApi.PublicUser[] }> {
  const ids = await withDefinition(ctx, deps, collection, (definition) =>
    selectAuthorIds(ctx.db, definition),
  );
  const users = await deps.users.byIds(ctx, ids);
  const nameOf = ({ name, email }: authApi.PublicUser) => name ?? email;
  const items = users.sort(
    (left, right) => nameOf(left).localeCompare(nameOf(right)) || left.id.localeCompare(right.id),
  );
  return { items };
}

/**
 * @returns all entries of an entry's translation group, itself included, by locale; readers without
 *   content:read_drafts get only published ones (contract 7).
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND.
 */
export async function getContentTranslations(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
): Promise<{ translationGroup: string; translations: Translation[] }> {
  return withDefinition(ctx, deps, target.collection, async (definition) => {
    const { _group } = await loadEntry(ctx.db, deps.locales.of(ctx), definition, target, {
      rows: readableRows(ctx),
    });
    const onlyPublished = !canSeeDrafts(ctx.principal);
    return {
      translationGroup: _group,
      translations: await selectTranslations(ctx.db, definition, _group, { onlyPublished }),
    };
  });
}

/**
 * Sets the time at which an entry, or the draft of a published one, goes live; replaces a former time (spec document 1,
 * States).
 * @param input.scheduledAt ISO instant with Z or an offset, later than now
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, FORBIDDEN, ENTRY_LOCKED, CONFLICT, VALIDATION_ERROR (not in the
 *   future, or a routable entry without a slug).
 */
export async function scheduleContent(
  ctx: Context,
  deps: EntryDeps,
  { scheduledAt, ...target }: RevisionTarget & { scheduledAt: string },
): Promise<EntryResponse> {
  const due = new Date(scheduledAt);
  const saved = await saveEntry(ctx, deps, target, ({ definition, row }) => {
    assertOnRow(ctx.principal, 'content:publish', row.authorId);
    assertRevisionMatches(row, target._rev);
    if (due.getTime() <= Date.now())
      throw invalidInput([{ path: 'scheduledAt', message: 'must be in the future' }]);
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
  return toEntryResponse(ctx, deps, saved);
}

/**
 * Cancels a pending schedule; without one, nothing changes (spec document 1, States).
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, FORBIDDEN, ENTRY_LOCKED.
 */
export async function unscheduleContent(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
): Promise<EntryResponse> {
  const saved = await saveEntry(ctx, deps, target, ({ row }) => {
    assertOnRow(ctx.principal, 'content:publish', row.authorId);
    if (row.scheduledAt === null) return undefined;
    return {
      columns: { scheduledAt: null, ...(row.status === 'scheduled' ? { status: 'draft' as const } : {}) },
      touches: { updatedAt: true, version: true },
      schedule: 'cancel',
    };
  });
  return toEntryResponse(ctx, deps, saved);
}

/**
 * Discards the draft of an entry; the live version stays, and without a draft nothing changes. A collection with
 * revisions keeps the draft in the history (contract 7).
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, FORBIDDEN, ENTRY_LOCKED, CONFLICT.
 */
export async function discardDraft(
  ctx: Context,
  deps: EntryDeps,
  target: RevisionTarget,
): Promise<EntryResponse> {
  const saved = await saveEntry(ctx, deps, target, ({ definition, row }) => {
    assertOnRow(ctx.principal, 'content:edit', row.authorId);
    assertRevisionMatches(row, target._rev);
    if (row.draftRevisionId === null) return undefined;
    return {
      columns: { draftRevisionId: null },
      touches: { updatedAt: false, version: true },
      dropRevision: definition.supports.has('revisions') ? null : row.draftRevisionId,
    };
  });
  return toEntryResponse(ctx, deps, saved);
}

/**
 * Moves an entry to the trash. Its slug stays taken, a pending schedule is cancelled (contract 7).
 * @throws QuireError NOT_FOUND (also for an entry in the trash), COLLECTION_NOT_FOUND, FORBIDDEN, ENTRY_LOCKED.
 */
export async function deleteContent(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
): Promise<{ deleted: true; id: string }> {
  const { row } = await saveEntry(ctx, deps, target, ({ row: { authorId } }) => {
    assertOnRow(ctx.principal, 'content:delete', authorId);
    return {
      columns: { deletedAt: 'now' },
      touches: { updatedAt: false, version: false },
      schedule: 'cancel',
    };
  });
  return { deleted: true, id: row.id };
}

/**
 * Restores an entry from the trash, as a draft without a schedule (contract 7).
 * @throws QuireError NOT_FOUND (also for an entry that is not in the trash), COLLECTION_NOT_FOUND, FORBIDDEN,
 *   ENTRY_LIMIT_EXCEEDED.
 */
export async function restoreContent(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
): Promise<{ restored: true } & EntryResponse> {
  const trashed: SaveTarget = {
    ...target,
    rows: 'trashed',
    ...(deps.limit.isSet(ctx) && { beforeLock: (tx) => deps.limit.assertRoom(tx, ctx, 1) }),
  };
  const saved = await saveEntry(ctx, deps, trashed, ({ definition, row }) => {
    assertOnRow(ctx.principal, 'content:edit', row.authorId);
    const columns = { deletedAt: null, status: 'draft', scheduledAt: null, liveRevisionId: null } as const;
    const becomesDraft = row.draftRevisionId === null && row.liveRevisionId !== null;
    return {
      ...(becomesDraft ? draftFromLive(definition, row, ctx.principal.userId, columns) : { columns }),
      touches: { updatedAt: true, version: true },
      schedule: 'cancel',
    };
  });
  return { restored: true, ...(await toEntryResponse(ctx, deps, saved)) };
}

/**
 * Deletes a trashed entry with its revisions, credits and comments; the last entry of a translation group also with the
 * group's terms and links (contract 7).
 * @throws QuireError NOT_FOUND (also for an entry that is not in the trash), COLLECTION_NOT_FOUND.
 */
export async function permanentDeleteContent(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
): Promise<{ deleted: true; id: string }> {
  return withDefinition(ctx, deps, target.collection, (definition) =>
    ctx.db.transaction(async (tx) => {
      const { id, _group } = await loadEntry(tx, deps.locales.of(ctx), definition, target, {
        rows: 'trashed',
      });
      // Of two transactions that delete the last two translations, the second one must see that none is left.
      await lockEntryGroup(tx, definition, _group, { alsoFromLinks: true });
      if (!(await deleteEntry(tx, definition, { id, tenantId: ctx.principal.tenant.id })))
        throw notFound('entry', target.id);
      await audit(ctx, tx, {
        action: 'entry.deleted',
        target: { type: 'entry', id },
        details: { collection: target.collection },
      });
      if (definition.hasSubscribers) tx.afterCommit(() => deps.wakeDispatcher());
      return { deleted: true as const, id };
    }),
  );
}
