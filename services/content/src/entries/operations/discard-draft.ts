import type { Context } from '@quire/context';
import { assertOnRow } from '@quire/permissions';
import { saveEntry, type EntryTarget } from '../save-entry.js';
import { assertRevisionMatches } from '../entries.policy.js';
import { toEntryResponse, type EntryResponse } from '../entry.mapper.js';
import type { EntryDeps } from '../entry-deps.js';

/**
 * Drops what is staged; the live version stays. On collections that keep revisions it can still be found in the
 * history. Nothing staged: nothing changes.
 * @throws QuireError NOT_FOUND, FORBIDDEN, CONFLICT.
 */
export async function discardDraft(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
  { _rev }: { _rev?: string | undefined },
): Promise<EntryResponse> {
  const { definition, row } = await saveEntry(ctx, deps, target, (definition, row) => {
    assertOnRow(ctx.principal, 'content:edit', row.authorId);
    assertRevisionMatches(row, _rev);
    if (row.draftRevisionId === null) return undefined;
    return {
      columns: { draftRevisionId: null },
      touches: { updatedAt: false, version: true },
      dropRevision: definition.supports.has('revisions') ? null : row.draftRevisionId,
    };
  });
  return toEntryResponse(ctx, deps, { definition, row });
}
