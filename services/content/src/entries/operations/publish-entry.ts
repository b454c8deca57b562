import { validateValues } from '@quire/content-model';
import type { Context } from '@quire/context';
import type { Sql } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import { can, requireOnRow } from '@quire/permissions';
import { ulid } from 'ulid';
import type { CollectionDefinition } from '../../schema/index.js';
import { changeEntry, type Decision, type EntryTarget } from '../change-entry.js';
import { requireCurrent, requireSlugWhenRoutable } from '../entries.policy.js';
import { entryAnswer, type EntryAnswer } from '../entry-answer.js';
import {
  draftValues,
  editedValues,
  liveValues,
  stagedSlug,
  type EntryRow,
  type EntryValues,
} from '../entry-row.js';
import type { EntryServices } from '../entry-services.js';
import { missingTargets } from '../selections/plain-references.js';
import { requireSelectedToPublish } from '../selections/resolve-selections.js';
import { stagedSelections } from '../selections/selection.js';
import { changedSharedFields } from '../synchronised-fields.js';

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
export async function publishEntry(
  ctx: Context,
  services: EntryServices,
  target: EntryTarget,
  publication: Publication,
): Promise<EntryAnswer> {
  const { definition, row } = await changeEntry(ctx, services, target, async (definition, row, sql) => {
    requireOnRow(ctx.principal, 'content:publish', row.authorId);
    if (publication.publishedAt !== undefined && !can(ctx.principal, 'content:publish_any')) {
      throw new QuireError('FORBIDDEN', 'Your role does not allow setting publishedAt (content:publish_any)');
    }
    requireCurrent(row, publication._rev);
    return goLive(sql, definition, row, { actorId: ctx.principal.userId, ...publication });
  });
  return entryAnswer(ctx, services, { definition, row });
}

/** What publishing does to an entry, whoever asks for it. @throws QuireError VALIDATION_ERROR when it must not go live. */
export async function goLive(
  sql: Sql,
  definition: CollectionDefinition,
  row: EntryRow,
  { actorId, publishedAt }: { actorId: string | null; publishedAt?: string | undefined },
): Promise<Decision> {
  const slug = stagedSlug(row) ?? row.slug;
  requireSlugWhenRoutable(definition, slug);
  const next = editedValues(definition, row);
  const { issues, references } = validateValues(definition.compiled, next, 'publish');
  issues.push(...(await missingTargets(sql, references, liveValues(definition, row))));
  if (issues.length > 0) throw invalidInput(issues);
  await requireSelectedToPublish(sql, definition, row);
  const values = draftValues(definition, row) ? everyField(definition, next) : {};
  const kept = history(definition, row, next, actorId);
  return {
    columns: {
      status: 'published',
      slug,
      publishedAt: publishedAt ?? row.publishedAt ?? 'now',
      scheduledAt: null,
      draftRevisionId: null,
      ...kept.columns,
    },
    values,
    touches: { updatedAt: true, version: true },
    ...kept.parts,
    schedule: 'cancel',
    synchronise: changedSharedFields(definition, row, values),
    selections: stagedSelections(definition, row),
  };
}

/** A draft that goes live replaces all values: a field that it lacks was cleared. */
function everyField(definition: CollectionDefinition, values: EntryValues): EntryValues {
  return Object.fromEntries(definition.columns.map(({ slug }) => [slug, values[slug] ?? null]));
}

/** Which revision is the live one from now on; collections that keep no revisions forget the draft. */
function history(
  definition: CollectionDefinition,
  row: EntryRow,
  values: EntryValues,
  actorId: string | null,
): { columns: { liveRevisionId?: string | null }; parts: Pick<Decision, 'revision' | 'dropRevision'> } {
  if (!definition.supports.has('revisions')) {
    return { columns: { liveRevisionId: null }, parts: { dropRevision: row.draftRevisionId } };
  }
  if (row.draftRevisionId !== null) return { columns: { liveRevisionId: row.draftRevisionId }, parts: {} };
  if (row.liveRevisionId !== null) return { columns: {}, parts: {} };
  const id = ulid();
  return { columns: { liveRevisionId: id }, parts: { revision: { id, data: values, authorId: actorId } } };
}

/**
 * Takes an entry off the live site. Content and publication date stay, a pending schedule is cancelled; what was live can
 * be edited as a draft. An entry that is not published stays as it is.
 * @throws QuireError NOT_FOUND, FORBIDDEN, CONFLICT.
 */
export async function unpublishEntry(
  ctx: Context,
  services: EntryServices,
  target: EntryTarget,
  { _rev }: { _rev?: string | undefined },
): Promise<EntryAnswer> {
  const { definition, row } = await changeEntry(ctx, services, target, (definition, row) => {
    requireOnRow(ctx.principal, 'content:publish', row.authorId);
    requireCurrent(row, _rev);
    if (row.status !== 'published') return undefined;
    return offline(definition, row, ctx.principal.userId);
  });
  return entryAnswer(ctx, services, { definition, row });
}

function offline(definition: CollectionDefinition, row: EntryRow, actorId: string | null): Decision {
  const change: Decision = {
    columns: { status: 'draft', scheduledAt: null, liveRevisionId: null },
    touches: { updatedAt: true, version: true },
    schedule: 'cancel',
  };
  if (!definition.supports.has('revisions') || row.draftRevisionId !== null) return change;
  return { ...change, ...liveAsDraft(definition, row, actorId, change.columns) };
}

/**
 * What is live becomes the draft. The live revision serves as it is, unless the entry selects others: it says what was
 * selected when it went live, and would hide what is selected since.
 */
export function liveAsDraft(
  definition: CollectionDefinition,
  row: EntryRow,
  actorId: string | null,
  columns: Decision['columns'],
): Pick<Decision, 'columns' | 'revision'> {
  if (row.liveRevisionId !== null && definition.references.length === 0)
    return { columns: { ...columns, draftRevisionId: row.liveRevisionId } };
  const id = ulid();
  return {
    columns: { ...columns, draftRevisionId: id },
    revision: { id, data: liveValues(definition, row), authorId: actorId },
  };
}
