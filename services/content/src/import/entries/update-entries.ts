import type { Transaction } from '@quire/database';
import type { contentImportApi } from '@quire/internal-api';
import {
  changeInTransaction,
  deleteImportErrors,
  findEntries,
  upsertImportErrors,
  type EntryRow,
  type SavedEntry,
} from '../../entries/index.js';
import { lockTermGroups } from '../../taxonomies/assignments/index.js';
import { updateRecords, type StoredRecord } from '../records/index.js';
import { countTerms, resolveAssignments, type Assignments } from './assignments.js';
import { byDefinition } from './by-definition.js';
import { OutdatedDefinitionError } from './failures.js';
import type { Importer } from './importer.js';
import { importErrorOf, renamedWarning } from './insert-entries.js';
import { insertCredits, insertTerms } from './insert-entries.repository.js';
import { planUpdate } from './plan-update.js';
import type { PreparedEntry } from './prepare-entries.js';
import type { TargetState } from './recognise-entries.js';
import { isSlugOf, selectSlugOwners, TakenSlugs } from './slugs.js';
import {
  deleteCredits,
  deleteOtherTerms,
  isCurrent,
  lockGroups,
  updateTimes,
} from './update-entries.repository.js';

type Result = contentImportApi.ImportedEntryResult;

/** An entry whose source has changed, and which no user has edited. */
export interface ChangedEntry {
  prepared: PreparedEntry;
  record: StoredRecord;
  target: TargetState;
}

/** A changed entry whose row is locked. */
interface LockedEntry extends ChangedEntry {
  row: EntryRow;
  assignments: Assignments;
  /** Whether the entry has no translations. */
  isAlone: boolean;
}

/** An entry with its new values. */
interface UpdatedEntry extends LockedEntry {
  version: number;
  result: Result;
}

/**
 * Writes changed sources over their entries. The id stays, and so does the slug unless the source has another one. A
 * source that fails now leaves a sound entry as it is. One statement an entry, and a fixed number for all of them.
 * @throws OutdatedDefinitionError when a collection has changed since the entries were checked
 */
export async function updateEntries(
  tx: Transaction,
  importer: Importer,
  changed: readonly ChangedEntry[],
): Promise<Map<PreparedEntry, Result>> {
  const results = new Map<PreparedEntry, Result>();
  if (changed.length === 0) return results;
  const writable: ChangedEntry[] = [];
  for (const entry of changed) {
    if (entry.prepared.failure && !entry.target.hasImportError)
      results.set(entry.prepared, failedResult(entry));
    else writable.push(entry);
  }
  const updated: UpdatedEntry[] = [];
  for (const entry of await lockEntries(tx, importer, writable, results))
    updated.push(await writeValues(tx, importer, entry));
  await writeAssignments(tx, updated);
  for (const [definition, group] of byDefinition(updated, ({ prepared }) => prepared))
    await updateTimes(
      tx,
      definition,
      group.map(({ target: { id }, prepared: { entry } }) => ({ ...timesOf(entry), id })),
    );
  await settleImportErrors(tx, updated);
  await writeRecords(tx, importer, updated);
  for (const { prepared, result } of updated) results.set(prepared, result);
  return results;
}

const timesOf = ({ createdAt, updatedAt }: contentImportApi.ImportedEntry) => ({ createdAt, updatedAt });

function failedResult({ prepared: { failure, warnings }, target: { id, slug } }: ChangedEntry): Result {
  return { outcome: 'failed', entryId: id, slug, error: failure, warnings, assignments: 0 };
}

function editedResult({ target: { id, slug } }: ChangedEntry): Result {
  return { outcome: 'edited', entryId: id, slug, error: null, warnings: [], assignments: 0 };
}

/** @param results gets the results of entries that users have edited in the meantime */
async function lockEntries(
  tx: Transaction,
  { ctx, deps }: Importer,
  entries: readonly ChangedEntry[],
  results: Map<PreparedEntry, Result>,
): Promise<LockedEntry[]> {
  const locked: LockedEntry[] = [];
  const { default: defaultLocale } = deps.locales.of(ctx);
  const assignments = await resolveAssignments(
    tx,
    entries.map(({ prepared }) => prepared),
    defaultLocale,
  );
  for (const [definition, group] of byDefinition(entries, ({ prepared }) => prepared)) {
    if (!(await isCurrent(tx, definition))) throw new OutdatedDefinitionError(definition.slug);
    const members = await lockGroups(
      tx,
      definition,
      group.map(({ target }) => target.group),
    );
    const ids = group.map(({ target }) => target.id);
    const rows = await findEntries(tx, definition, ids, defaultLocale);
    const rowOf = new Map(rows.map((row) => [row.id, row]));
    for (const entry of group) {
      const { prepared, record, target } = entry;
      const row = rowOf.get(target.id);
      const isAsFound = row?.version === target.version && (row.deletedAt !== null) === record.isTrashed;
      const isAlone = members.every(({ id, group: other }) => other !== target.group || id === target.id);
      const own = assignments.get(prepared) ?? { credits: [], terms: new Map<string, string[]>() };
      if (row && isAsFound) locked.push({ ...entry, row, assignments: own, isAlone });
      else results.set(prepared, editedResult(entry));
    }
  }
  return locked;
}

async function writeValues(tx: Transaction, importer: Importer, entry: LockedEntry): Promise<UpdatedEntry> {
  const { ctx, deps } = importer;
  const { prepared, row, target, assignments } = entry;
  const { definition, failure, warnings } = prepared;
  const slug = await chooseSlug(tx, prepared, row.slug);
  const details = { tenantId: ctx.principal.tenant.id, slug, credits: assignments.credits };
  let saved: SavedEntry = { definition, row };
  for (const step of planUpdate(prepared, details))
    saved = await changeInTransaction(ctx, tx, deps, saved, step);
  const result: Result = {
    outcome: failure ? 'failed' : 'updated',
    entryId: target.id,
    slug,
    error: failure,
    warnings,
    assignments: countTerms(assignments),
  };
  return { ...entry, version: saved.row.version, result };
}

async function chooseSlug(tx: Transaction, prepared: PreparedEntry, stored: string | null): Promise<string> {
  const { slug, definition, warnings } = prepared;
  if (stored !== null && isSlugOf(stored, slug)) return stored;
  const taken = new TakenSlugs(tx, definition, await selectSlugOwners(tx, definition, [prepared]));
  const chosen = await taken.take(prepared);
  if (chosen !== slug) warnings.push(renamedWarning(slug, chosen));
  return chosen;
}

async function writeAssignments(tx: Transaction, entries: readonly UpdatedEntry[]): Promise<void> {
  await deleteCredits(
    tx,
    entries.map(({ target }) => target.id),
  );
  await insertCredits(
    tx,
    entries.map(({ target: { id }, prepared: { definition }, assignments: { credits } }) => ({
      id,
      collection: definition.slug,
      credits,
    })),
  );
  // Each translation names terms of its own language: those of the others stay.
  const alone = entries.filter(({ isAlone }) => isAlone);
  await lockTermGroups(
    tx,
    entries.flatMap(({ assignments: { terms } }) => [...terms.values()].flat()),
  );
  await deleteOtherTerms(
    tx,
    alone.flatMap(({ target: { group }, assignments: { terms } }) =>
      [...terms].map(([taxonomyId, termGroups]) => ({ group, taxonomyId, termGroups })),
    ),
  );
  await insertTerms(
    tx,
    entries.map(({ target: { group }, prepared: { definition }, assignments: { terms } }) => ({
      group,
      collection: definition.slug,
      termGroups: [...terms.values()].flat(),
    })),
  );
}

/** Removes the failures of entries that are complete now, and replaces those of the others. */
async function settleImportErrors(tx: Transaction, entries: readonly UpdatedEntry[]): Promise<void> {
  const failed = entries.filter(({ target }) => target.hasImportError);
  const complete = failed.filter(({ prepared }) => prepared.failure === null);
  await deleteImportErrors(
    tx,
    complete.map(({ target }) => target.id),
  );
  await upsertImportErrors(
    tx,
    failed.flatMap(({ prepared, target }) =>
      prepared.failure ? [{ entryId: target.id, error: importErrorOf(prepared, prepared.failure) }] : [],
    ),
  );
}

async function writeRecords(
  tx: Transaction,
  { run }: Importer,
  entries: readonly UpdatedEntry[],
): Promise<void> {
  await updateRecords(
    tx,
    run,
    entries.map(({ prepared: { entry, remainder, status }, target, version, result }) => ({
      source: entry.source,
      kind: 'entry' as const,
      targetId: target.id,
      fingerprint: entry.fingerprint,
      targetVersion: version,
      parent: entry.parent,
      remainder,
      isTrashed: status === 'trashed',
      result,
    })),
  );
}
