import type { FieldDefinition } from '@quire/content-model';
import type { Context } from '@quire/context';
import { hasSqlState, sqlState } from '@quire/database';
import { withDefinition, type EntryDeps } from '../../../entries/index.js';
import type { CollectionDefinition } from '../../../schema/index.js';
import type { UrlMap } from '@quire/values';
import type { MediaItems } from '../media-by-url.js';
import { isRewritten } from '../values/index.js';
import {
  selectPage,
  updateEntries,
  type EntryPageRow,
  type PageOf,
  type RewrittenEntry,
} from './rewrite-entries.repository.js';
import { rewriteEntry, type EntryRewriting } from './rewrite-entry.js';

/** Attempts at entries that editors save at the same time. */
const maxAttempts = 5;
/** SQLSTATE of a value that is too long for an index. */
const tooLongForIndex = '54000';

/** The rewriting of one request. */
export interface Rewriting {
  deps: EntryDeps;
  urls: UrlMap;
  media: MediaItems;
}

/** What was done in one collection. */
export interface RewrittenCollection {
  updated: number;
  count: number;
  errors: { id: string; error: string }[];
}

/**
 * Replaces addresses in all entries of a collection that are not in the trash, page by page: a page is one transaction,
 * and memory holds one page. An entry that an editor has saved since the read is read again, so neither change is lost.
 * @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE (media items cannot be looked up).
 */
export async function rewriteEntries(
  ctx: Context,
  rewriting: Rewriting,
  collection: string,
): Promise<RewrittenCollection> {
  const result: RewrittenCollection = { updated: 0, count: 0, errors: [] };
  for (let after: string | null = ''; after !== null;) {
    const page = await rewritePage(ctx, rewriting, collection, { after }, result);
    after = page.next;
    let { stale } = page;
    for (let attempt = 2; stale.length > 0 && attempt <= maxAttempts; attempt += 1) {
      // The collection may have changed too.
      rewriting.deps.definitions.invalidate(ctx.principal.tenant.id);
      ({ stale } = await rewritePage(ctx, rewriting, collection, { ids: stale }, result));
    }
    for (const id of stale)
      result.errors.push({ id, error: 'The entry keeps changing; send the request again' });
  }
  return result;
}

interface RewrittenPage {
  /** The entry that the next page begins after; null after the last page. */
  next: string | null;
  /** Entries that were changed between the read and the write. */
  stale: string[];
}

function rewritePage(
  ctx: Context,
  rewriting: Rewriting,
  collection: string,
  page: PageOf,
  result: RewrittenCollection,
): Promise<RewrittenPage> {
  return withDefinition(ctx, rewriting.deps, collection, async (definition) => {
    const fields = definition.columns.filter(isRewritten);
    if (fields.length === 0) return { next: null, stale: [] };
    const rows = await selectPage(ctx.db, definition, fields, page);
    const rewritings = await rewriteRows(definition, fields, rows, rewriting);
    const changed = [...rewritings.values()].flatMap(({ entry }) => entry ?? []);
    const written = await writeEntries(ctx, rewriting, { definition, fields, changed, result });
    for (const [id, { entry, count, problems }] of rewritings) {
      if (entry !== null && !written.has(id)) continue;
      for (const error of problems) result.errors.push({ id, error });
      if (entry === null) continue;
      result.updated += 1;
      result.count += count;
    }
    const failed = new Set(result.errors.map(({ id }) => id));
    return {
      // A page with large entries is shorter.
      next: 'after' in page ? (rows.at(-1)?.id ?? null) : null,
      stale: changed.flatMap(({ id }) => (written.has(id) || failed.has(id) ? [] : [id])),
    };
  });
}

/** Requests the media items that the new values need, then rewrites again what needed them. */
async function rewriteRows(
  definition: CollectionDefinition,
  fields: readonly FieldDefinition[],
  rows: readonly EntryPageRow[],
  rewriting: Rewriting,
): Promise<Map<string, EntryRewriting>> {
  const rewrite = (row: EntryPageRow) => rewriteEntry(definition, fields, row, rewriting);
  const first = new Map(rows.map((row) => [row.id, rewrite(row)]));
  const missing = new Set([...first.values()].flatMap((rewritten) => [...rewritten.missing]));
  if (missing.size === 0) return first;
  await rewriting.media.fetch(missing);
  return new Map(
    rows.map((row) => {
      const rewritten = first.get(row.id);
      return [row.id, rewritten && rewritten.missing.size === 0 ? rewritten : rewrite(row)];
    }),
  );
}

interface PageWrite {
  definition: CollectionDefinition;
  fields: readonly FieldDefinition[];
  changed: readonly RewrittenEntry[];
  result: RewrittenCollection;
}

/** @returns the ids of the written entries. When the database refuses one, each is written by itself. */
async function writeEntries(
  ctx: Context,
  rewriting: Rewriting,
  { definition, fields, changed, result }: PageWrite,
): Promise<Set<string>> {
  if (changed.length === 0) return new Set();
  try {
    return await write(ctx, rewriting, definition, fields, changed);
  } catch (error) {
    if (hasSqlState(error, sqlState.deadlock)) return new Set();
    if (!hasSqlState(error, sqlState.uniqueViolation, tooLongForIndex)) throw error;
    const [only, ...others] = changed;
    if (only && others.length === 0) {
      result.errors.push({ id: only.id, error: 'A new value is not unique, or too long for an index' });
      return new Set();
    }
  }
  const written = new Set<string>();
  for (const entry of changed) {
    const ids = await writeEntries(ctx, rewriting, { definition, fields, changed: [entry], result });
    for (const id of ids) written.add(id);
  }
  return written;
}

async function write(
  ctx: Context,
  { deps }: Rewriting,
  definition: CollectionDefinition,
  fields: readonly FieldDefinition[],
  entries: readonly RewrittenEntry[],
): Promise<Set<string>> {
  const { userId } = ctx.principal;
  const ids = await ctx.db.transaction(async (tx) => {
    if (definition.hasSubscribers) tx.afterCommit(() => deps.wakeDispatcher());
    return updateEntries(tx, definition, fields, { entries, userId });
  });
  return new Set(ids);
}
