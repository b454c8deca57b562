import { identifier, Parameters, type Transaction } from '@quire/database';
import type { contentImportApi } from '@quire/internal-api';
import { outboxRow, publishScheduledEntry, timestampOf } from '@quire/jobs';
import { ulid } from 'ulid';
import { bylineStatements } from '../../bylines/credits/index.js';
import {
  changedSharedFields,
  changeInTransaction,
  importErrorDeletion,
  isStaged,
  isUnchanged,
  liveValues,
  loadEntry,
  lockEntryGroup,
  planPublish,
  planUnpublish,
  sharedFields,
  upsertImportErrors,
  withAllFields,
  withoutNulls,
  type CurrentEntry,
  type DecideChange,
  type EntryChangePlan,
  type EntryValues,
  type SavedEntry,
} from '../../entries/index.js';
import type { CollectionDefinition } from '../../schema/index.js';
import { assignmentStatements } from '../../taxonomies/assignments/index.js';
import { updateRecords, type StoredRecord } from '../records/index.js';
import { countTerms, resolveAssignments, type Assignments } from './assignments.js';
import { OutdatedDefinitionError } from './failures.js';
import type { Importer } from './importer.js';
import { importErrorOf, publicationTime, renamedWarning } from './insert-entries.js';
import type { PreparedEntry } from './prepare-entries.js';
import type { TargetState } from './recognise-entries.js';
import { isSlugOf, selectSlugOwners, TakenSlugs } from './slugs.js';

type Result = contentImportApi.ImportedEntryResult;

/** An entry whose source has changed, and which no user has edited. */
export interface ChangedEntry {
  prepared: PreparedEntry;
  record: StoredRecord;
  target: TargetState;
}

/**
 * Writes a changed source over its entry, in the steps in which a user would: restore, update, then publish, schedule,
 * unpublish or trash it, as the source is. The id stays, and so does the slug unless the source has another one. A
 * source that fails now leaves a sound entry as it is.
 */
export async function updateEntry(
  tx: Transaction,
  importer: Importer,
  { prepared, record, target }: ChangedEntry,
): Promise<Result> {
  const { deps, run } = importer;
  const { definition, entry } = prepared;
  if (prepared.failure && !target.hasImportError) return failedResult(prepared, target);
  await assertUnchanged(tx, definition);
  const group = await lockEntryGroup(tx, definition, target.group);
  const rows = record.isTrashed ? 'trashed' : 'not-trashed';
  const locked = group.find(({ id }) => id === target.id);
  if (locked?.version !== target.version) return editedResult(target);
  const address = { collection: definition.slug, id: target.id };
  const row = await loadEntry(tx, deps, definition, address, { rows });
  const assignments = await assignmentsOf(tx, importer, prepared);
  const slug = await chooseSlug(tx, prepared, row.slug);
  const decisions = decide(prepared, { assignments, slug, isAlone: group.length === 1 });
  let saved: SavedEntry = { definition, row };
  for (const decision of decisions)
    saved = await changeInTransaction(
      importer.ctx,
      tx,
      deps,
      saved,
      decision(importer.ctx.principal.tenant.id),
    );
  await writeTimes(tx, prepared, target.id);
  await settleImportError(tx, prepared, target.id);
  const result: Result = {
    outcome: prepared.failure ? 'failed' : 'updated',
    entryId: target.id,
    slug,
    error: prepared.failure,
    warnings: prepared.warnings,
    assignments: countTerms(assignments),
  };
  await updateRecords(tx, run, [
    {
      source: entry.source,
      kind: 'entry',
      targetId: target.id,
      fingerprint: entry.fingerprint,
      targetVersion: saved.row.version,
      parent: entry.parent,
      remainder: prepared.remainder,
      isTrashed: prepared.status === 'trashed',
      result,
    },
  ]);
  return result;
}

/** @throws OutdatedDefinitionError */
async function assertUnchanged(tx: Transaction, definition: CollectionDefinition): Promise<void> {
  const parameters = new Parameters();
  const text = `SELECT 1 WHERE ${isUnchanged(definition, parameters)}`;
  if ((await tx.query(text, parameters.values)).length === 0)
    throw new OutdatedDefinitionError(definition.slug);
}

function failedResult({ failure, warnings }: PreparedEntry, { id, slug }: TargetState): Result {
  return { outcome: 'failed', entryId: id, slug, error: failure, warnings, assignments: 0 };
}

function editedResult({ id, slug }: TargetState): Result {
  return { outcome: 'edited', entryId: id, slug, error: null, warnings: [], assignments: 0 };
}

async function assignmentsOf(
  tx: Transaction,
  { deps }: Importer,
  prepared: PreparedEntry,
): Promise<Assignments> {
  const resolved = await resolveAssignments(tx, [prepared], deps.locales.default);
  return resolved.get(prepared) ?? { credits: [], terms: new Map() };
}

async function chooseSlug(tx: Transaction, prepared: PreparedEntry, stored: string | null): Promise<string> {
  const { slug, definition, warnings } = prepared;
  if (stored !== null && isSlugOf(stored, slug)) return stored;
  const taken = new TakenSlugs(tx, definition, await selectSlugOwners(tx, definition, [prepared]));
  const chosen = await taken.take(prepared);
  if (chosen !== slug) warnings.push(renamedWarning(slug, chosen));
  return chosen;
}

/** Plans one step of an update for a tenant. */
type Step = (tenantId: string) => DecideChange;

interface UpdateDetails {
  assignments: Assignments;
  slug: string;
  /** Whether the entry has no translations. */
  isAlone: boolean;
}

function decide(prepared: PreparedEntry, details: UpdateDetails): Step[] {
  const transitions: Record<PreparedEntry['status'], Step[]> = {
    published: [
      () => (entry) => planPublish(entry, { actorId: null, publishedAt: publicationTime(prepared.entry) }),
    ],
    draft: [() => planDraft],
    scheduled: [() => planDraft, planScheduled(prepared)],
    trashed: [() => planTrashed],
  };
  return [
    () => planRestored,
    () => (entry) => planValues(entry, prepared, details),
    ...transitions[prepared.status],
  ];
}

const planRestored: DecideChange = ({ row }) =>
  row.deletedAt === null
    ? undefined
    : {
        columns: { deletedAt: null, status: 'draft', scheduledAt: null, liveRevisionId: null },
        touches: { updatedAt: true, version: true },
      };

function planValues(
  { definition, row }: CurrentEntry,
  prepared: PreparedEntry,
  { assignments, slug, isAlone }: UpdateDetails,
): EntryChangePlan {
  const { credits, terms } = assignments;
  const values = withAllFields(definition, ownValues(prepared, liveValues(definition, row)));
  const columns = { authorId: prepared.authorId, primaryBylineId: credits[0]?.group ?? null };
  const named = [...terms].map(([taxonomyId, termGroups]) => ({ taxonomyId, termGroups }));
  const assignee = { entryGroup: row._group, collection: definition.slug };
  const common = {
    touches: { updatedAt: true, version: true },
    isOfGroup: true,
    extraStatements: [
      ...bylineStatements(definition.slug, row.id, credits),
      // Each translation names terms of its own language: those of the others stay.
      ...assignmentStatements(assignee, named).slice(isAlone ? 0 : 1),
    ],
  };
  if (!isStaged(definition, row)) {
    const synchronise = changedSharedFields(definition, row, values);
    return { ...common, columns: { ...columns, slug }, values, synchronise };
  }
  const id = ulid();
  const data = { ...withoutNulls(values), ...(slug === row.slug ? {} : { _slug: slug }) };
  const keepsHistory = definition.supports.has('revisions') || row.draftRevisionId === row.liveRevisionId;
  return {
    ...common,
    columns: { ...columns, draftRevisionId: id },
    revision: { id, data, authorId: null },
    dropRevision: keepsHistory ? null : row.draftRevisionId,
  };
}

/** A translation has the shared values of its group. */
function ownValues({ entry, definition, values }: PreparedEntry, stored: EntryValues): EntryValues {
  if (entry.translationOf === null) return values;
  const own = { ...values };
  for (const { slug } of sharedFields(definition)) own[slug] = stored[slug] ?? null;
  return own;
}

const planDraft: DecideChange = ({ definition, row }) => {
  if (row.status === 'published') return planUnpublish(definition, row, null);
  if (row.status !== 'scheduled') return undefined;
  return {
    columns: { status: 'draft', scheduledAt: null },
    touches: { updatedAt: true, version: true },
    schedule: 'cancel',
  };
};

function planScheduled({ entry: { scheduledAt } }: PreparedEntry): Step {
  return (tenantId) =>
    ({ definition, row }) => {
      const due = new Date(scheduledAt ?? Date.now());
      const message = {
        tenantId,
        collection: definition.slug,
        entryId: row.id,
        scheduledAt: timestampOf(due),
      };
      const dueAt = due.toISOString();
      return {
        columns: { status: 'scheduled', scheduledAt: dueAt },
        touches: { updatedAt: true, version: true },
        schedule: { dueAt },
        message: outboxRow(publishScheduledEntry, message, { dueAt: due }),
      };
    };
}

const planTrashed: DecideChange = () => ({
  columns: { deletedAt: 'now' },
  touches: { updatedAt: false, version: false },
  schedule: 'cancel',
});

/** An updated entry has the times of its source, as a new one. */
async function writeTimes(
  tx: Transaction,
  { definition, entry: { createdAt, updatedAt } }: PreparedEntry,
  id: string,
): Promise<void> {
  await tx.query(
    `UPDATE ${identifier(definition.table)} SET created_at = coalesce($2::timestamptz, created_at),
       updated_at = coalesce($3::timestamptz, updated_at) WHERE id = $1`,
    [id, createdAt, updatedAt],
  );
}

async function settleImportError(tx: Transaction, prepared: PreparedEntry, id: string): Promise<void> {
  const { failure } = prepared;
  if (!failure) await tx.query(importErrorDeletion(id));
  else await upsertImportErrors(tx, [{ entryId: id, error: importErrorOf(prepared, failure) }]);
}
