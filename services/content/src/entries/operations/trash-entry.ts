import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { identifier, type Statement } from '@quire/database';
import { notFound } from '@quire/errors';
import { requireOnRow } from '@quire/permissions';
import { sharedSchema } from '@quire/tenancy';
import type { CollectionDefinition } from '../../schema/index.js';
import { changeEntry, loadEntry, withDefinition, type EntryTarget } from '../change-entry.js';
import { entryAnswer, type EntryAnswer } from '../entry-answer.js';
import type { EntryServices } from '../entry-services.js';
import { holdGroup } from '../statements/hold-entry.js';
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
  return withDefinition(ctx, services, target.collection, (definition) =>
    ctx.db.transaction(async (tx) => {
      const { id, _group } = await loadEntry(tx, services, definition, target, { rows: 'trashed' });
      // Held together, so that of two who delete the last translations at once the second sees that none is left.
      await holdGroup(tx, definition, _group, { alsoFromLinks: true });
      const [removed] = await tx.query(deletion(definition, id, ctx.principal.tenant.id));
      if (!removed) throw notFound('entry');
      await audit(ctx, tx, {
        action: 'entry.deleted',
        target: { type: 'entry', id },
        details: { collection: target.collection },
      });
      if (definition.isFollowed) tx.afterCommit(() => services.announce());
      return { deleted: true as const, id };
    }),
  );
}

/** Deletes a trashed entry, and what belongs to its group when no other translation is left. Links go in the order that writers take. */
function deletion({ table, slug }: CollectionDefinition, id: string, tenantId: string): Statement {
  return {
    text: `
      WITH removed AS (
        DELETE FROM ${identifier(table)} WHERE id = $1 AND deleted_at IS NOT NULL
        RETURNING id, _translation_group
      ), gone AS (
        SELECT r._translation_group AS grp FROM removed r WHERE NOT EXISTS (
          SELECT 1 FROM ${identifier(table)} o
          WHERE o._translation_group = r._translation_group AND o.id <> r.id)
      ), linked AS (
        SELECT l.relation_id, l.parent_group, l.child_group
        FROM reference_links l JOIN gone ON gone.grp IN (l.parent_group, l.child_group)
        JOIN relations t ON t.id = l.relation_id AND $3 IN (t.parent_collection, t.child_collection)
        ORDER BY 1, 2, 3 FOR UPDATE OF l
      ), links AS (
        DELETE FROM reference_links
        WHERE (relation_id, parent_group, child_group) IN (SELECT relation_id, parent_group, child_group FROM linked)
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
    values: [id, tenantId, slug],
  };
}
