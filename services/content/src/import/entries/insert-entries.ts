import type { Transaction } from '@quire/database';
import type { contentImportApi } from '@quire/internal-api';
import { outboxRow, publishScheduledEntry, sendMessages, timestampOf } from '@quire/jobs';
import { monotonicFactory } from 'ulid';
import { upsertImportErrors, type ImportErrorDetails } from '../../entries/index.js';
import type { CollectionDefinition } from '../../schema/index.js';
import { insertRecords, selectImportedTargets, type StoredRecord } from '../records/index.js';
import { countTerms, resolveAssignments, type Assignments } from './assignments.js';
import { byDefinition } from './by-definition.js';
import { cleanJson } from './clean-json.js';
import { OutdatedDefinitionError } from './failures.js';
import { warningCodes, type Importer } from './importer.js';
import {
  insertCredits,
  insertEntryRows,
  insertSchedules,
  insertTerms,
  type NewEntryRow,
} from './insert-entries.repository.js';
import type { PreparedEntry } from './prepare-entries.js';
import { selectSlugOwners, TakenSlugs, type LocaleSlug } from './slugs.js';
import { joinGroups, type GroupedEntry } from './translation-groups.js';

type Result = contentImportApi.ImportedEntryResult;

/** Ids in the order of the source. A counter also costs a hundredth of new random digits for each id. */
const nextId = monotonicFactory();

/** A new entry with everything that is written for it. */
interface NewEntry extends GroupedEntry {
  assignments: Assignments;
  row: NewEntryRow;
  result: Result;
}

/**
 * Inserts entries with their terms, credits, schedules and records: a fixed number of statements for each collection of
 * the batch.
 * @param options.records of the entries that the batch translates
 * @param options.restored entries that the transaction takes out of the trash
 * @returns the results of the entries
 * @throws OutdatedDefinitionError when a collection has changed since the entries were checked; QuireError
 *   ENTRY_LIMIT_EXCEEDED
 */
export async function insertEntries(
  tx: Transaction,
  importer: Importer,
  entries: readonly PreparedEntry[],
  { records, restored }: { records: ReadonlyMap<string, StoredRecord>; restored: number },
): Promise<Map<PreparedEntry, Result>> {
  const { ctx, deps } = importer;
  const { accepted, skipped } = await separateExisting(tx, importer, entries);
  const inserted = accepted.filter(({ status }) => status !== 'trashed').length;
  await deps.limit.assertRoom(tx, ctx, inserted + restored);
  const taken = await loadTakenSlugs(tx, accepted);
  const identified = accepted.map((prepared) => ({ id: nextId(), prepared }));
  const grouped = await joinGroups(tx, identified, records);
  const assignments = await resolveAssignments(tx, accepted, deps.locales.of(ctx).default);
  const added: NewEntry[] = [];
  for (const entry of grouped) added.push(await completeEntry(entry, assignments, taken));
  await writeEntries(tx, importer, added);
  return new Map([...skipped, ...added.map(({ prepared, result }) => [prepared, result] as const)]);
}

/** With `skipExisting`, entries whose slug an entry of the site has that no import created are left out. */
async function separateExisting(
  tx: Transaction,
  { skipExisting }: Importer,
  entries: readonly PreparedEntry[],
): Promise<{ accepted: PreparedEntry[]; skipped: [PreparedEntry, Result][] }> {
  const skipped: [PreparedEntry, Result][] = [];
  if (!skipExisting) return { accepted: [...entries], skipped };
  for (const [definition, group] of byDefinition(entries, (prepared) => prepared)) {
    const owners = await selectSlugOwners(tx, definition, group);
    const imported = await selectImportedTargets(
      tx,
      owners.map(({ id }) => id),
    );
    for (const prepared of group) {
      const owner = owners.find(({ slug, locale }) => slug === prepared.slug && locale === prepared.locale);
      if (owner && !imported.has(owner.id)) skipped.push([prepared, skippedResult(owner)]);
    }
  }
  const left = new Set(skipped.map(([prepared]) => prepared));
  return { accepted: entries.filter((prepared) => !left.has(prepared)), skipped };
}

const skippedResult = ({ id, slug }: LocaleSlug & { id: string }): Result => ({
  outcome: 'skipped',
  entryId: id,
  slug,
  error: null,
  warnings: [],
  assignments: 0,
});

async function loadTakenSlugs(
  tx: Transaction,
  entries: readonly PreparedEntry[],
): Promise<Map<CollectionDefinition, TakenSlugs>> {
  const taken = new Map<CollectionDefinition, TakenSlugs>();
  for (const [definition, group] of byDefinition(entries, (prepared) => prepared))
    taken.set(definition, new TakenSlugs(tx, definition, await selectSlugOwners(tx, definition, group)));
  return taken;
}

async function completeEntry(
  grouped: GroupedEntry,
  allAssignments: ReadonlyMap<PreparedEntry, Assignments>,
  taken: ReadonlyMap<CollectionDefinition, TakenSlugs>,
): Promise<NewEntry> {
  const { prepared, id } = grouped;
  const { definition, warnings } = prepared;
  const slug = (await taken.get(definition)?.take(prepared)) ?? prepared.slug;
  if (slug !== prepared.slug) warnings.push(renamedWarning(prepared.slug, slug));
  const assignments = allAssignments.get(prepared) ?? { credits: [], terms: new Map<string, string[]>() };
  const row = toRow(grouped, { slug, primaryBylineId: assignments.credits[0]?.group ?? null });
  const result: Result = {
    outcome: prepared.failure ? 'failed' : 'created',
    entryId: id,
    slug,
    error: prepared.failure,
    warnings,
    assignments: countTerms(assignments),
  };
  return { ...grouped, assignments, row, result };
}

export const renamedWarning = (from: string, to: string): contentImportApi.ImportWarning => ({
  code: warningCodes.slugRenamed,
  message: `slug: '${from}' is taken; it is '${to}' now`,
});

function toRow(
  { prepared, id, group, values }: GroupedEntry,
  { slug, primaryBylineId }: Pick<NewEntryRow, 'slug' | 'primaryBylineId'>,
): NewEntryRow {
  const { entry, definition, locale, authorId, status } = prepared;
  const isPublished = status === 'published';
  return {
    id,
    slug,
    locale,
    group,
    status: status === 'trashed' ? 'draft' : status,
    isTrashed: status === 'trashed',
    authorId,
    primaryBylineId,
    createdAt: entry.createdAt,
    updatedAt: entry.updatedAt,
    publishedAt: isPublished ? publicationTime(entry) : null,
    scheduledAt: status === 'scheduled' ? entry.scheduledAt : null,
    liveRevisionId: isPublished && definition.supports.has('revisions') ? nextId() : null,
    values,
  };
}

/** A published entry has a time of publication, as one that is published without a date. */
export const publicationTime = ({ publishedAt, createdAt }: contentImportApi.ImportedEntry) =>
  publishedAt ?? createdAt ?? new Date().toISOString();

async function writeEntries(
  tx: Transaction,
  importer: Importer,
  entries: readonly NewEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const { ctx, deps, run } = importer;
  const tenantId = ctx.principal.tenant.id;
  for (const [definition, group] of byDefinition(entries, ({ prepared }) => prepared)) {
    const rows = group.map(({ row }) => row);
    if ((await insertEntryRows(tx, definition, rows)) < rows.length)
      throw new OutdatedDefinitionError(definition.slug);
    const published = rows.filter(({ status }) => status === 'published');
    await deps.urlListener.onUrlsCreated(tx, { tenantId, definition, entries: published });
    if (definition.hasSubscribers) tx.afterCommit(() => deps.wakeDispatcher());
  }
  await insertCredits(
    tx,
    entries.map(({ id, prepared, assignments }) => ({
      id,
      collection: prepared.definition.slug,
      credits: assignments.credits,
    })),
  );
  await insertTerms(
    tx,
    entries.map(({ group, prepared, assignments }) => ({
      group,
      collection: prepared.definition.slug,
      termGroups: [...assignments.terms.values()].flat(),
    })),
  );
  await schedule(tx, importer, entries);
  await upsertImportErrors(
    tx,
    entries.flatMap(({ id, prepared }) =>
      prepared.failure ? [{ entryId: id, error: importErrorOf(prepared, prepared.failure) }] : [],
    ),
  );
  await insertRecords(
    tx,
    run,
    entries.map(({ id, prepared, row, result }) => ({
      source: prepared.entry.source,
      kind: 'entry' as const,
      targetId: id,
      collection: prepared.definition.slug,
      fingerprint: prepared.entry.fingerprint,
      parent: prepared.entry.parent,
      remainder: prepared.remainder,
      isTrashed: row.isTrashed,
      result,
    })),
  );
}

/** Schedules publications: the row of the recovery runner, and the delayed job. */
async function schedule(
  tx: Transaction,
  { ctx, deps }: Importer,
  entries: readonly NewEntry[],
): Promise<void> {
  const tenantId = ctx.principal.tenant.id;
  const scheduled = entries.flatMap(({ id, prepared, row: { scheduledAt } }) =>
    scheduledAt === null ? [] : [{ id, collection: prepared.definition.slug, scheduledAt }],
  );
  if (scheduled.length === 0) return;
  await insertSchedules(tx, tenantId, scheduled);
  const messages = scheduled.map(({ id, collection, scheduledAt }) => {
    const due = new Date(scheduledAt);
    const message = { tenantId, collection, entryId: id, scheduledAt: timestampOf(due) };
    return outboxRow(publishScheduledEntry, message, { dueAt: due });
  });
  await sendMessages(tx, 'content', messages);
  tx.afterCommit(() => deps.wakeDispatcher());
}

const noSource = { content: '', excerpt: '', meta: {} };

/** What is kept of an entry that could not be converted or saved (contract 6, `_importError`). */
export function importErrorOf(
  { entry: { source, original } }: PreparedEntry,
  { code, message }: { code: string; message: string },
): ImportErrorDetails {
  const { content, excerpt, meta } = cleanJson(original ?? noSource);
  return {
    message,
    code,
    legacyId: source.id,
    postType: source.type,
    content,
    excerpt,
    meta,
    at: new Date().toISOString(),
  };
}
