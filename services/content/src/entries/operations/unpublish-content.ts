import type { Context } from '@quire/context';
import { assertOnRow } from '@quire/permissions';
import { ulid } from '@quire/values';
import type { CollectionDefinition } from '../../schema/index.js';
import { assertRevisionMatches } from '../entries.policy.js';
import type { EntryDeps } from '../entry-deps.js';
import { liveValues, type EntryRow } from '../entry-row.js';
import { toEntryResponse, type EntryResponse } from '../entry.mapper.js';
import type { EntryTarget } from '../load-entry.js';
import { saveEntry } from '../repository/save-entry.js';
import type { EntryChangePlan } from '../repository/write-change.js';

/**
 * Takes an entry off the live site. Content and publication date stay, a pending schedule is cancelled, and the live
 * values become a draft. An entry that is not published does not change (spec document 1, States).
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, FORBIDDEN, ENTRY_LOCKED, CONFLICT.
 */
export async function unpublishContent(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget & { _rev?: string | undefined },
): Promise<EntryResponse> {
  const saved = await saveEntry(ctx, deps, target, ({ definition, row }) => {
    assertOnRow(ctx.principal, 'content:publish', row.authorId);
    assertRevisionMatches(row, target._rev);
    return planUnpublish(definition, row, ctx.principal.userId);
  });
  return toEntryResponse(ctx, deps, saved);
}

/** Plans the end of an entry's publication. @returns undefined for an entry that is not published. */
export function planUnpublish(
  definition: CollectionDefinition,
  row: EntryRow,
  actorId: string | null,
): EntryChangePlan | undefined {
  if (row.status !== 'published') return undefined;
  const plan: EntryChangePlan = {
    columns: { status: 'draft', scheduledAt: null, liveRevisionId: null },
    touches: { updatedAt: true, version: true },
    schedule: 'cancel',
  };
  if (!definition.supports.has('revisions') || row.draftRevisionId !== null) return plan;
  return { ...plan, ...draftFromLive(definition, row, actorId, plan.columns) };
}

/**
 * Makes the live values the draft. The live revision becomes the draft revision, unless the collection has reference
 * fields: the revision has the selections from the time of its publication, which would hide later ones.
 */
export function draftFromLive(
  definition: CollectionDefinition,
  row: EntryRow,
  actorId: string | null,
  columns: EntryChangePlan['columns'],
): Pick<EntryChangePlan, 'columns' | 'revision'> {
  if (row.liveRevisionId !== null && definition.references.length === 0)
    return { columns: { ...columns, draftRevisionId: row.liveRevisionId } };
  const id = ulid();
  return {
    columns: { ...columns, draftRevisionId: id },
    revision: { id, data: liveValues(definition, row), authorId: actorId },
  };
}
