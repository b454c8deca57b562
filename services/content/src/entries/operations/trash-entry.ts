import type { Context } from '@quire/context';
import { identifier } from '@quire/database';
import { notFound } from '@quire/errors';
import { requireOnRow } from '@quire/permissions';
import { sharedSchema } from '@quire/tenancy';
import { changeEntry, loadEntry, withDefinition, type EntryTarget } from '../change-entry.js';
import { entryAnswer, type EntryAnswer } from '../entry-answer.js';
import type { EntryServices } from '../entry-services.js';
import { liveAsDraft } from './publish-entry.js';

/**
 * Moves an entry to the trash. Its slug stays taken; a pending schedule is not executed any more.
 * @throws QuireError NOT_FOUND (also when it is in the trash already), FORBIDDEN.
 */
export async function deleteEntry(
  ctx: Context,
  services: EntryServices,
  target: EntryTarget,
): Promise<{ deleted: true; id: string }> {
  const { row } = await changeEntry(ctx, services, target, (_, row) => {
    requireOnRow(ctx.principal, 'content:delete', row.authorId);
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
export async function restoreEntry(
  ctx: Context,
  services: EntryServices,
  target: EntryTarget,
): Promise<{ restored: true } & EntryAnswer> {
  const { definition, row } = await changeEntry(
    ctx,
    services,
    target,
    (definition, row) => {
      requireOnRow(ctx.principal, 'content:edit', row.authorId);
      const columns = { deletedAt: null, status: 'draft', scheduledAt: null, liveRevisionId: null } as const;
      const becomesDraft = row.draftRevisionId === null && row.liveRevisionId !== null;
      return {
        ...(becomesDraft ? liveAsDraft(definition, row, ctx.principal.userId, columns) : { columns }),
        touches: { updatedAt: true, version: true },
        schedule: 'cancel',
      };
    },
    'trashed',
  );
  return { restored: true, ...(await entryAnswer(ctx, services, { definition, row })) };
}

/**
 * Removes a trashed entry with its revisions, credits and comments, and with the last of its translations its terms and the links from
 * and to it. It cannot be undone.
 * @throws QuireError NOT_FOUND (also when it is not in the trash).
 */
export async function permanentlyDeleteEntry(
  ctx: Context,
  services: EntryServices,
  target: EntryTarget,
): Promise<{ deleted: true; id: string }> {
  return withDefinition(ctx, services, target.collection, async (definition) => {
    const { id } = await loadEntry(ctx.db, services, definition, target, { rows: 'trashed' });
    const removed = await ctx.db.query(
      `WITH removed AS (
         DELETE FROM ${identifier(definition.table)} WHERE id = $1 AND deleted_at IS NOT NULL
         RETURNING id, _translation_group
       ), gone AS (
         SELECT r._translation_group AS grp FROM removed r WHERE NOT EXISTS (
           SELECT 1 FROM ${identifier(definition.table)} o
           WHERE o._translation_group = r._translation_group AND o.id <> r.id)
       ), links AS (
         DELETE FROM reference_links l USING gone, relations t
         WHERE t.id = l.relation_id AND $3 IN (t.parent_collection, t.child_collection)
           AND gone.grp IN (l.parent_group, l.child_group)
       ), history AS (DELETE FROM revisions WHERE entry_id IN (SELECT id FROM removed)
       ), lease AS (DELETE FROM entry_locks WHERE entry_id IN (SELECT id FROM removed)
       ), credits AS (DELETE FROM entry_bylines WHERE entry_id IN (SELECT id FROM removed)
       ), terms AS (DELETE FROM entry_terms WHERE entry_group IN (SELECT grp FROM gone)
       ), said AS (
         SELECT id FROM comments WHERE content_id IN (SELECT id FROM removed) ORDER BY id FOR UPDATE
       ), unsaid AS (DELETE FROM comments WHERE id IN (SELECT id FROM said)
       ), pending AS (
         DELETE FROM ${identifier(sharedSchema('content'))}.schedules
         WHERE tenant_id = $2 AND entry_id IN (SELECT id FROM removed)
       ) SELECT id FROM removed`,
      [id, ctx.principal.tenant.id, definition.slug],
    );
    if (removed.length === 0) throw notFound('entry');
    if (definition.isFollowed) services.announce();
    return { deleted: true, id };
  });
}
