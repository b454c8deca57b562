import type { Context } from '@quire/context';
import { identifier } from '@quire/database';
import { notFound } from '@quire/errors';
import { requireOnRow } from '@quire/permissions';
import { sharedSchema } from '@quire/tenancy';
import { changeEntry, loadEntry, withDefinition, type EntryTarget } from '../change-entry.js';
import { entryAnswer, type EntryAnswer } from '../entry-answer.js';
import type { EntryServices } from '../entry-services.js';

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
    (_, row) => {
      requireOnRow(ctx.principal, 'content:edit', row.authorId);
      const draftRevisionId = row.draftRevisionId ?? row.liveRevisionId;
      return {
        columns: {
          deletedAt: null,
          status: 'draft',
          scheduledAt: null,
          liveRevisionId: null,
          draftRevisionId,
        },
        touches: { updatedAt: true, version: true },
        schedule: 'cancel',
      };
    },
    'trashed',
  );
  return { restored: true, ...entryAnswer(definition, row, true) };
}

/**
 * Removes a trashed entry with its revisions, credits and comments. It cannot be undone.
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
         DELETE FROM ${identifier(definition.table)} WHERE id = $1 AND deleted_at IS NOT NULL RETURNING id
       ), history AS (DELETE FROM revisions WHERE entry_id IN (SELECT id FROM removed)
       ), credits AS (DELETE FROM entry_bylines WHERE entry_id IN (SELECT id FROM removed)
       ), said AS (
         SELECT id FROM comments WHERE content_id IN (SELECT id FROM removed) ORDER BY id FOR UPDATE
       ), unsaid AS (DELETE FROM comments WHERE id IN (SELECT id FROM said)
       ), pending AS (
         DELETE FROM ${identifier(sharedSchema('content'))}.schedules
         WHERE tenant_id = $2 AND entry_id IN (SELECT id FROM removed)
       ) SELECT id FROM removed`,
      [id, ctx.principal.tenant.id],
    );
    if (removed.length === 0) throw notFound('entry');
    return { deleted: true, id };
  });
}
