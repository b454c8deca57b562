import { validateValues } from '@quire/content-model';
import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import { can, assertOnRow } from '@quire/permissions';
import { ulid } from 'ulid';
import type { CollectionDefinition } from '../../schema/index.js';
import { saveEntry, type EntryChangePlan, type EntryTarget } from '../save-entry.js';
import { assertRevisionMatches, assertSlugIfRoutable } from '../entries.policy.js';
import { toEntryResponse, type EntryResponse } from '../entry.mapper.js';
import {
  draftValues,
  editedValues,
  liveValues,
  stagedSlug,
  type EntryRow,
  type EntryValues,
} from '../entry-row.js';
import type { EntryDeps } from '../entry-deps.js';
import { missingTargets } from '../references/plain-references.js';
import { assertRequiredReferencesForPublish } from '../references/resolve-references.js';
import { stagedSelections } from '../references/reference-selection.js';
import { changedSharedFields } from '../translations/shared-fields.js';

export interface Publication {
  /** ISO instant; needs content:publish_any. Absent: the former date, else now. */
  publishedAt?: string | undefined;
  _rev?: string | undefined;
}

/**
 * Makes an entry live: its draft, where one is staged, becomes the live version (spec document 1, States).
 * @throws QuireError NOT_FOUND, FORBIDDEN, CONFLICT, SLUG_CONFLICT (the staged slug is taken), VALIDATION_ERROR (a
 * required field or, when routable, the slug is missing).
 */
export async function publishContent(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
  publication: Publication,
): Promise<EntryResponse> {
  const { definition, row } = await saveEntry(ctx, deps, target, async (definition, row, sql) => {
    assertOnRow(ctx.principal, 'content:publish', row.authorId);
    if (publication.publishedAt !== undefined && !can(ctx.principal, 'content:publish_any')) {
      throw new QuireError('FORBIDDEN', 'Your role does not allow setting publishedAt (content:publish_any)');
    }
    assertRevisionMatches(row, publication._rev);
    return planPublish(sql, definition, row, { actorId: ctx.principal.userId, ...publication });
  });
  return toEntryResponse(ctx, deps, { definition, row });
}

/**
 * What publishing does to an entry, whoever asks for it.
 * @throws QuireError VALIDATION_ERROR when it must not go live.
 */
export async function planPublish(
  sql: Queryable,
  definition: CollectionDefinition,
  row: EntryRow,
  { actorId, publishedAt }: { actorId: string | null; publishedAt?: string | undefined },
): Promise<EntryChangePlan> {
  const slug = stagedSlug(row) ?? row.slug;
  assertSlugIfRoutable(definition, slug);
  const next = editedValues(definition, row);
  const { issues, references } = validateValues(definition.compiled, next, 'publish');
  issues.push(...(await missingTargets(sql, references, liveValues(definition, row))));
  if (issues.length > 0) throw invalidInput(issues);
  await assertRequiredReferencesForPublish(sql, definition, row);
  const values = draftValues(definition, row) ? allFieldValues(definition, next) : {};
  const revisionChange = planRevision(definition, row, next, actorId);
  return {
    columns: {
      status: 'published',
      slug,
      publishedAt: publishedAt ?? row.publishedAt ?? 'now',
      scheduledAt: null,
      draftRevisionId: null,
      ...revisionChange.columns,
    },
    values,
    touches: { updatedAt: true, version: true },
    ...revisionChange.parts,
    schedule: 'cancel',
    synchronise: changedSharedFields(definition, row, values),
    selections: stagedSelections(definition, row),
  };
}

/** A draft that goes live replaces all values: a field that it lacks was cleared. */
function allFieldValues(definition: CollectionDefinition, values: EntryValues): EntryValues {
  return Object.fromEntries(definition.columns.map(({ slug }) => [slug, values[slug] ?? null]));
}

/** Which revision is the live one from now on; collections that keep no revisions forget the draft. */
function planRevision(
  definition: CollectionDefinition,
  row: EntryRow,
  values: EntryValues,
  actorId: string | null,
): {
  columns: { liveRevisionId?: string | null };
  parts: Pick<EntryChangePlan, 'revision' | 'dropRevision'>;
} {
  if (!definition.supports.has('revisions')) {
    return { columns: { liveRevisionId: null }, parts: { dropRevision: row.draftRevisionId } };
  }
  if (row.draftRevisionId !== null) return { columns: { liveRevisionId: row.draftRevisionId }, parts: {} };
  if (row.liveRevisionId !== null) return { columns: {}, parts: {} };
  const id = ulid();
  return { columns: { liveRevisionId: id }, parts: { revision: { id, data: values, authorId: actorId } } };
}

/**
 * Takes an entry off the live site. Content and publication date stay, a pending schedule is cancelled; what was live
 * can be edited as a draft. An entry that is not published stays as it is.
 * @throws QuireError NOT_FOUND, FORBIDDEN, CONFLICT.
 */
export async function unpublishContent(
  ctx: Context,
  deps: EntryDeps,
  target: EntryTarget,
  { _rev }: { _rev?: string | undefined },
): Promise<EntryResponse> {
  const { definition, row } = await saveEntry(ctx, deps, target, (definition, row) => {
    assertOnRow(ctx.principal, 'content:publish', row.authorId);
    assertRevisionMatches(row, _rev);
    if (row.status !== 'published') return undefined;
    return planUnpublish(definition, row, ctx.principal.userId);
  });
  return toEntryResponse(ctx, deps, { definition, row });
}

function planUnpublish(
  definition: CollectionDefinition,
  row: EntryRow,
  actorId: string | null,
): EntryChangePlan {
  const change: EntryChangePlan = {
    columns: { status: 'draft', scheduledAt: null, liveRevisionId: null },
    touches: { updatedAt: true, version: true },
    schedule: 'cancel',
  };
  if (!definition.supports.has('revisions') || row.draftRevisionId !== null) return change;
  return { ...change, ...draftFromLive(definition, row, actorId, change.columns) };
}

/**
 * What is live becomes the draft. The live revision serves as it is, unless the entry selects others: it says what was
 * selected when it went live, and would hide what is selected since.
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
