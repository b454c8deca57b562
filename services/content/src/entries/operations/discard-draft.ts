import type { Context } from '@quire/context';
import { requireOnRow } from '@quire/permissions';
import { changeEntry, type EntryTarget } from '../change-entry.js';
import { requireCurrent } from '../entries.policy.js';
import { entryAnswer, type EntryAnswer } from '../entry-answer.js';
import type { EntryServices } from '../entry-services.js';

/**
 * Drops what is staged; the live version stays. On collections that keep revisions it can still be found in the history.
 * Nothing staged: nothing changes.
 * @throws QuireError NOT_FOUND, FORBIDDEN, CONFLICT.
 */
export async function discardDraft(
  ctx: Context,
  services: EntryServices,
  target: EntryTarget,
  { _rev }: { _rev?: string | undefined },
): Promise<EntryAnswer> {
  const { definition, row } = await changeEntry(ctx, services, target, (definition, row) => {
    requireOnRow(ctx.principal, 'content:edit', row.authorId);
    requireCurrent(row, _rev);
    if (row.draftRevisionId === null) return undefined;
    return {
      columns: { draftRevisionId: null },
      touches: { updatedAt: false, version: true },
      dropRevision: definition.supports.has('revisions') ? null : row.draftRevisionId,
    };
  });
  return entryAnswer(ctx, services, { definition, row });
}
