import { validateValues } from '@quire/content-model';
import type { Context } from '@quire/context';
import { invalidInput } from '@quire/errors';
import { assertOnRow } from '@quire/permissions';
import { ulid } from '@quire/values';
import type { CollectionDefinition } from '../../schema/index.js';
import { assertMaySetPublishedAt, assertRevisionMatches, assertSlugIfRoutable } from '../entries.policy.js';
import type { EntryDeps } from '../entry-deps.js';
import {
  draftValues,
  editedValues,
  liveValues,
  stagedSlug,
  withAllFields,
  type EntryRow,
  type EntryValues,
} from '../entry-row.js';
import { toEntryResponse, type EntryResponse } from '../entry.mapper.js';
import type { EntryTarget } from '../load-entry.js';
import { missingTargets } from '../references/plain-references.js';
import { stagedSelections } from '../references/reference-selection.js';
import { assertRequiredReferencesForPublish } from '../references/resolve-references.js';
import { saveEntry } from '../repository/save-entry.js';
import type { CurrentEntry, EntryChangePlan } from '../repository/write-change.js';
import { changedSharedFields } from '../shared-fields.js';

export interface Publication extends EntryTarget {
  /** ISO instant; needs content:publish_any. The former date, else now, unless given. */
  publishedAt?: string | undefined;
  _rev?: string | undefined;
}

/**
 * Makes an entry live; its draft, if it has one, becomes the live version (spec document 1, States).
 * @throws QuireError NOT_FOUND, COLLECTION_NOT_FOUND, FORBIDDEN, ENTRY_LOCKED, CONFLICT, SLUG_CONFLICT (the staged slug
 *   is taken), VALIDATION_ERROR (a required field or, when routable, the slug is missing).
 */
export async function publishContent(
  ctx: Context,
  deps: EntryDeps,
  { publishedAt, _rev, ...target }: Publication,
): Promise<EntryResponse> {
  const authorise = ({ authorId }: EntryRow) => {
    assertOnRow(ctx.principal, 'content:publish', authorId);
    assertMaySetPublishedAt(ctx.principal, publishedAt);
  };
  const saved = await saveEntry(ctx, deps, { ...target, authorise }, async (entry) => {
    assertRevisionMatches(entry.row, _rev);
    return planPublish(entry, { actorId: ctx.principal.userId, publishedAt });
  });
  return toEntryResponse(ctx, deps, saved);
}

/**
 * Plans the publication of an entry, by a user or by a schedule.
 * @param options.actorId null for a schedule
 * @throws QuireError VALIDATION_ERROR when the entry must not go live.
 */
export async function planPublish(
  { definition, row, sql }: Pick<CurrentEntry, 'definition' | 'row' | 'sql'>,
  { actorId, publishedAt }: { actorId: string | null; publishedAt?: string | undefined },
): Promise<EntryChangePlan> {
  const slug = stagedSlug(row) ?? row.slug;
  assertSlugIfRoutable(definition, slug);
  const next = editedValues(definition, row);
  const { issues, references } = validateValues(definition.compiled, next, 'publish');
  issues.push(...(await missingTargets(sql, references, liveValues(definition, row))));
  if (issues.length > 0) throw invalidInput(issues);
  await assertRequiredReferencesForPublish(sql, definition, row);
  // A draft replaces all values: a field without one was cleared.
  const values = draftValues(definition, row) ? withAllFields(definition, next) : {};
  const { columns, ...revisionChange } = planRevision(definition, row, next, actorId);
  return {
    columns: {
      status: 'published',
      slug,
      publishedAt: publishedAt ?? row.publishedAt ?? 'now',
      scheduledAt: null,
      draftRevisionId: null,
      ...columns,
    },
    values,
    touches: { updatedAt: true, version: true },
    ...revisionChange,
    schedule: 'cancel',
    synchronise: changedSharedFields(definition, row, values),
    selections: stagedSelections(definition, row),
  };
}

/** The live revision is the draft, else the present one, else a new one; without revisions the draft is deleted. */
function planRevision(
  { supports }: CollectionDefinition,
  { draftRevisionId, liveRevisionId }: EntryRow,
  values: EntryValues,
  actorId: string | null,
): Pick<EntryChangePlan, 'columns' | 'revision' | 'dropRevision'> {
  if (!supports.has('revisions')) return { columns: { liveRevisionId: null }, dropRevision: draftRevisionId };
  if (draftRevisionId !== null) return { columns: { liveRevisionId: draftRevisionId } };
  if (liveRevisionId !== null) return {};
  const id = ulid();
  return { columns: { liveRevisionId: id }, revision: { id, data: values, authorId: actorId } };
}
