import type { Context } from '@quire/context';
import type { contentImportApi, ResponseOf } from '@quire/internal-api';
import { collectionBusyError, type EntryDeps } from '../../entries/index.js';
import type { CollectionDefinition } from '../../schema/index.js';
import { keyOf, lockSource, selectRecords } from '../records/index.js';
import { KnownMedia } from '../rewrite-urls/index.js';
import {
  isOfService,
  isOverLimit,
  isRace,
  OutdatedDefinitionError,
  toFailure,
  uniqueFieldOf,
} from './failures.js';
import type { Failure, Importer } from './importer.js';
import { insertEntries } from './insert-entries.js';
import { prepareEntries, type PreparedEntry } from './prepare-entries.js';
import { recogniseEntries, type Recognition } from './recognise-entries.js';
import { updateEntries, type ChangedEntry } from './update-entries.js';

type Entry = contentImportApi.ImportedEntry;
type Result = contentImportApi.ImportedEntryResult;

/** Attempts at a batch that other writers disturb. */
const maxAttempts = 6;

/**
 * Creates or updates the entries of one batch, each with its terms, credits and record, in one transaction. If the
 * batch fails, each entry has a transaction of its own; one that fails again becomes a draft with `_importError`. A
 * batch that is repeated by the same import has the results of the first time.
 * @throws QuireError SERVICE_UNAVAILABLE: nothing is written then, or a part that a repeated call recognises
 */
export async function importEntries(
  ctx: Context,
  deps: EntryDeps,
  { importId, site, entries, skipExisting, media }: contentImportApi.ImportEntriesRequest,
): Promise<ResponseOf<typeof contentImportApi.importEntries>> {
  const run = { importId, site };
  const importer: Importer = { ctx, deps, run, skipExisting, media: new KnownMedia(media) };
  const distinct = [...new Map(entries.toReversed().map((entry) => [keyOf(entry.source), entry])).values()];
  const results = await importDistinct(importer, distinct.toReversed());
  return { results: entries.map(({ source }) => resultOf(results, source)) };
}

function resultOf(results: ReadonlyMap<string, Result>, source: Entry['source']): Result {
  const result = results.get(keyOf(source));
  if (!result) throw new Error('An entry of the batch has no result');
  return result;
}

async function importDistinct(importer: Importer, entries: readonly Entry[]): Promise<Map<string, Result>> {
  if (entries.length > 1) {
    try {
      return await importTogether(importer, entries);
    } catch (error) {
      if (isOfService(error)) throw error;
    }
  }
  const results = new Map<string, Result>();
  for (const entry of entries) results.set(keyOf(entry.source), await importOne(importer, entry));
  return results;
}

/** A value that another entry has is left out where its field allows it; any other failure makes the entry a draft. */
async function importOne(importer: Importer, entry: Entry): Promise<Result> {
  const unfitFields = new Set<string>();
  let failing = entry;
  let failure: Failure | undefined;
  for (;;) {
    try {
      return resultOf(await importTogether(importer, [failing], unfitFields), entry.source);
    } catch (error) {
      if (isOfService(error)) throw error;
      if (isOverLimit(error)) return failedResult(toFailure(error));
      const field = uniqueFieldOf(error, await knownDefinitions(importer, entry));
      failure ??= toFailure(error);
      const isFailing = failing.failure !== null;
      if (field !== undefined && !unfitFields.has(field)) unfitFields.add(field);
      else if (isFailing) return failedResult(failure);
      else failing = { ...entry, data: {}, failure };
    }
  }
}

async function knownDefinitions(
  { ctx, deps }: Importer,
  { collection }: Entry,
): Promise<CollectionDefinition[]> {
  try {
    return [await deps.definitions.get(ctx, collection)];
  } catch {
    return [];
  }
}

const failedResult = (error: Failure | null): Result => ({
  outcome: 'failed',
  entryId: null,
  slug: null,
  error,
  warnings: [],
  assignments: 0,
});

async function importTogether(
  importer: Importer,
  entries: readonly Entry[],
  unfitFields?: ReadonlySet<string>,
): Promise<Map<string, Result>> {
  const { ctx, deps } = importer;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const prepared = await prepareEntries(importer, entries, unfitFields ? { unfitFields } : {});
    try {
      return await writeBatch(importer, prepared);
    } catch (error) {
      if (
        !isRace(
          error,
          prepared.map(({ definition }) => definition),
        )
      )
        throw error;
      if (error instanceof OutdatedDefinitionError) deps.definitions.invalidate(ctx.principal.tenant.id);
    }
  }
  throw collectionBusyError();
}

/** A draft with `_importError` needs the source. */
function isComplete({ failure, entry }: PreparedEntry): boolean {
  return failure === null || entry.original !== null;
}

/** The number of changed entries that leave the trash. */
function restoredBy(recognised: ReadonlyMap<PreparedEntry, Recognition>): number {
  const leavesTrash = ([{ status }, recognition]: [PreparedEntry, Recognition]) =>
    recognition.kind === 'changed' && recognition.target.isTrashed && status !== 'trashed';
  return [...recognised].filter(leavesTrash).length;
}

function writeBatch(importer: Importer, prepared: readonly PreparedEntry[]): Promise<Map<string, Result>> {
  const { ctx, run } = importer;
  return ctx.db.transaction(async (tx) => {
    await lockSource(tx, ctx.principal.tenant.id, run.site);
    const keys = prepared.flatMap(({ entry: { source, translationOf } }) =>
      translationOf ? [source, translationOf] : [source],
    );
    const records = await selectRecords(tx, run.site, keys);
    const recognised = await recogniseEntries(tx, run.importId, prepared, records);
    const added = prepared.filter((entry) => recognised.get(entry)?.kind === 'new');
    const results = await insertEntries(tx, importer, added.filter(isComplete), {
      records,
      restored: restoredBy(recognised),
    });
    for (const entry of added) if (!isComplete(entry)) results.set(entry, failedResult(entry.failure));
    const changed: ChangedEntry[] = [];
    for (const [entry, recognition] of recognised) {
      if (recognition.kind === 'known') results.set(entry, recognition.result);
      if (recognition.kind === 'changed') changed.push({ prepared: entry, ...recognition });
    }
    for (const [entry, result] of await updateEntries(tx, importer, changed)) results.set(entry, result);
    return new Map([...results].map(([{ entry }, result]) => [keyOf(entry.source), result]));
  });
}
