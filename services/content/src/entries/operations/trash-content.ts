import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { identifier, type Statement } from '@quire/database';
import { notFound } from '@quire/errors';
import { assertOnRow } from '@quire/permissions';
import type { CollectionDefinition } from '../../schema/index.js';
import { saveEntry, loadEntry, withDefinition, type EntryTarget } from '../save-entry.js';
import { toEntryResponse, type EntryResponse } from '../entry.mapper.js';
import type { EntryDeps } from '../entry-deps.js';
import { lockEntryGroup } from '../repository/lock-entry.js';
import { schedulesTable } from '../repository/schedules.repository.js';
import { draftFromLive } from './publish-content.js';

/**
 * Moves an entry to the trash. Its slug stays taken; a pending schedule is not executed any more.
 * @throws QuireError NOT_FOUND (also when it is in the trash already), FORBIDDEN.
 */
export async function deleteContent(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
): Promise<{ deleted: true; id: string }> {
  const { row } = await saveEntry(ctx, deps, target, (_, row) => {
    assertOnRow(ctx.principal, 'content:delete', row.authorId);
    return {
      columns: { deletedAt: 'now' },
      touches: { updatedAt: false, version: false },
      schedule: 'cancel',
    };
  });
  return { deleted: true, id: row.id };
}

/**
 * Takes an entry out of the trash: as a draft, without a schedule.
 * @throws QuireError NOT_FOUND (not in the trash), FORBIDDEN.
 */
export async function restoreContent(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
): Promise<{ restored: true } & EntryResponse> {
  const { definition, row } = await saveEntry(
    ctx,
    deps,
    target,
    (definition, row) => {
      assertOnRow(ctx.principal, 'content:edit', row.authorId);
      const columns = { deletedAt: null, status: 'draft', scheduledAt: null, liveRevisionId: null } as const;
      const becomesDraft = row.draftRevisionId === null && row.liveRevisionId !== null;
      return {
        ...(becomesDraft ? draftFromLive(definition, row, ctx.principal.userId, columns) : { columns }),
        touches: { updatedAt: true, version: true },
        schedule: 'cancel',
      };
    },
    'trashed',
  );
  return { restored: true, ...(await toEntryResponse(ctx, deps, { definition, row })) };
}

/**
 * Removes a trashed entry with its revisions, credits and comments, and with the last of its translations its terms and
 * the links from and to it. It cannot be undone.
 * @throws QuireError NOT_FOUND (also when it is not in the trash).
 */
export async function permanentDeleteContent(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
): Promise<{ deleted: true; id: string }> {
  return withDefinition(ctx, deps, target.collection, (definition) =>
    ctx.db.transaction(async (tx) => {
      const { id, _group } = await loadEntry(tx, deps, definition, target, { rows: 'trashed' });
      // Held together, so that of two who delete the last translations at once the second sees that none is left.
      await lockEntryGroup(tx, definition, _group, { alsoFromLinks: true });
      const [removed] = await tx.query(deletion(definition, id, ctx.principal.tenant.id));
      if (!removed) throw notFound('entry');
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

/**
 * Deletes a trashed entry, and what belongs to its group when no other translation is left. Links go in the order that
 * writers take.
 */
function deletion({ table, slug }: CollectionDefinition, id: string, tenantId: string): Statement {
  return {
    text: `
      WITH removed AS (
        DELETE FROM ${identifier(table)} WHERE id = $1 AND deleted_at IS NOT NULL
        RETURNING id, _translation_group
      ), emptied_groups AS (
        SELECT r._translation_group AS grp FROM removed r WHERE NOT EXISTS (
          SELECT 1 FROM ${identifier(table)} o
          WHERE o._translation_group = r._translation_group AND o.id <> r.id)
      ), linked AS (
        SELECT l.relation_id, l.parent_group, l.child_group
        FROM reference_links l JOIN emptied_groups ON emptied_groups.grp IN (l.parent_group, l.child_group)
        JOIN relations t ON t.id = l.relation_id AND $3 IN (t.parent_collection, t.child_collection)
        ORDER BY 1, 2, 3 FOR UPDATE OF l
      ), links AS (
        DELETE FROM reference_links
        WHERE (relation_id, parent_group, child_group) IN (SELECT relation_id, parent_group, child_group FROM linked)
      ), history AS (DELETE FROM revisions WHERE entry_id IN (SELECT id FROM removed)
      ), lease AS (DELETE FROM entry_locks WHERE entry_id IN (SELECT id FROM removed)
      ), credits AS (DELETE FROM entry_bylines WHERE entry_id IN (SELECT id FROM removed)
      ), terms AS (DELETE FROM entry_terms WHERE entry_group IN (SELECT grp FROM emptied_groups)
      ), entry_comments AS (
        SELECT id FROM comments WHERE content_id IN (SELECT id FROM removed) ORDER BY id FOR UPDATE
      ), deleted_comments AS (DELETE FROM comments WHERE id IN (SELECT id FROM entry_comments)
      ), pending AS (
        DELETE FROM ${schedulesTable}
        WHERE tenant_id = $2 AND entry_id IN (SELECT id FROM removed)
      ) SELECT id FROM removed`,
    values: [id, tenantId, slug],
  };
}
