import { outboxRow, publishScheduledEntry, timestampOf } from '@quire/jobs';
import { ulid } from '@quire/values';
import type { Credit } from '../../bylines/credits/index.js';
import {
  changedSharedFields,
  isStaged,
  liveValues,
  planPublish,
  planUnpublish,
  sharedFields,
  withAllFields,
  withoutNulls,
  type CurrentEntry,
  type DecideChange,
  type EntryChangePlan,
  type EntryValues,
} from '../../entries/index.js';
import { publicationTime } from './insert-entries.js';
import type { PreparedEntry } from './prepare-entries.js';

/** What an update writes into the row beside the values. */
export interface RowDetails {
  tenantId: string;
  slug: string;
  credits: readonly Credit[];
}

const touches = { updatedAt: true, version: true };

/**
 * @returns the steps in which a user would write a changed source over its entry: restore, update, then schedule,
 *   unpublish or trash it, as the source is. A published entry is updated and published in one step.
 */
export function planUpdate(prepared: PreparedEntry, details: RowDetails): DecideChange[] {
  const update: DecideChange = (entry) => planValues(entry, prepared, details);
  const steps: Record<PreparedEntry['status'], DecideChange[]> = {
    published: [(entry) => planPublished(entry, prepared, details)],
    draft: [update, planDraft],
    scheduled: [update, planDraft, planScheduled(prepared, details)],
    trashed: [update, planTrashed],
  };
  return [planRestored, ...steps[prepared.status]];
}

const planRestored: DecideChange = ({ row }) =>
  row.deletedAt === null
    ? undefined
    : { columns: { deletedAt: null, status: 'draft', scheduledAt: null, liveRevisionId: null }, touches };

function planValues(entry: CurrentEntry, prepared: PreparedEntry, details: RowDetails): EntryChangePlan {
  const { definition, row } = entry;
  const { slug } = details;
  if (!isStaged(definition, row)) return planLive(entry, prepared, details);
  const id = ulid();
  const data = withoutNulls(allValues(entry, prepared));
  const keepsHistory = definition.supports.has('revisions') || row.draftRevisionId === row.liveRevisionId;
  return {
    columns: { ...ownershipOf(prepared, details), draftRevisionId: id },
    revision: { id, data: slug === row.slug ? data : { ...data, _slug: slug }, authorId: null },
    dropRevision: keepsHistory ? null : row.draftRevisionId,
    touches,
  };
}

function planLive(entry: CurrentEntry, prepared: PreparedEntry, details: RowDetails): EntryChangePlan {
  const values = allValues(entry, prepared);
  const synchronise = changedSharedFields(entry.definition, entry.row, values);
  return {
    columns: { ...ownershipOf(prepared, details), slug: details.slug },
    values,
    synchronise,
    touches,
  };
}

/** The entry is published with the new values; where the collection has revisions, they are its live revision. */
async function planPublished(
  entry: CurrentEntry,
  prepared: PreparedEntry,
  details: RowDetails,
): Promise<EntryChangePlan> {
  const { definition, row } = entry;
  const publishedAt = publicationTime(prepared.entry);
  if (definition.supports.has('revisions')) {
    const { revision, columns } = planValues(entry, prepared, details);
    if (!revision) throw new Error('An update in a collection with revisions is staged');
    const staged = { ...row, draftRevisionId: revision.id, _draft: revision.data };
    const publication = await planPublish({ ...entry, row: staged }, { actorId: null, publishedAt });
    return { ...publication, columns: { ...columns, ...publication.columns }, revision };
  }
  const { columns, ...live } = planLive(entry, prepared, details);
  const state = { status: 'published', publishedAt, scheduledAt: null } as const;
  const revisions = { draftRevisionId: null, liveRevisionId: null };
  return {
    ...live,
    columns: { ...columns, ...state, ...revisions },
    dropRevision: row.draftRevisionId,
    schedule: 'cancel',
  };
}

const ownershipOf = ({ authorId }: PreparedEntry, { credits }: RowDetails) => ({
  authorId,
  primaryBylineId: credits[0]?.group ?? null,
});

/** A value for every field; a translation has the shared values of its group. */
function allValues({ row }: CurrentEntry, { entry, definition, values }: PreparedEntry): EntryValues {
  const all = withAllFields(definition, values);
  if (entry.translationOf === null) return all;
  const stored = liveValues(definition, row);
  for (const { slug } of sharedFields(definition)) all[slug] = stored[slug] ?? null;
  return all;
}

const planDraft: DecideChange = ({ definition, row }) => {
  if (row.status === 'published') return planUnpublish(definition, row, null);
  if (row.status !== 'scheduled') return undefined;
  return { columns: { status: 'draft', scheduledAt: null }, touches, schedule: 'cancel' };
};

function planScheduled({ entry: { scheduledAt } }: PreparedEntry, { tenantId }: RowDetails): DecideChange {
  return ({ definition, row }) => {
    const due = new Date(scheduledAt ?? Date.now());
    const message = { tenantId, collection: definition.slug, entryId: row.id, scheduledAt: timestampOf(due) };
    const dueAt = due.toISOString();
    return {
      columns: { status: 'scheduled', scheduledAt: dueAt },
      touches,
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
