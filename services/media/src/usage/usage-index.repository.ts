import { createHash } from 'node:crypto';
import { identifier, type KeysetPage, Parameters, type Queryable } from '@quire/database';
import type { contentApi } from '@quire/internal-api';
import { sharedSchema, type Tenant } from '@quire/tenancy';
import { usageVariants, type Occurrence, type UsageEntry, type UsageVariant } from './usage.schemas.js';

/** An indexed entry. */
interface IndexedEntry {
  contentId: string;
  digest: string;
  row: object;
  sources: IndexedSource[];
}

interface IndexedSource {
  mediaId: string;
  variant: UsageVariant;
  occurrences: Occurrence[];
  /** True of one source per item that the entry uses, unless the entry is trashed: these are counted. */
  counts: boolean;
}

/** An entry in the list of an item's usage, with its position. */
export interface UsageRow extends UsageEntry {
  collectionId: string;
}

/** Lists are ordered by collection, and then by entry from the oldest. */
export const usageOrder = {
  column: 's.collection_id',
  idColumn: 's.content_id',
  direction: 'asc',
  cast: 'text',
  neverNull: true,
} as const;

const deletions = `${identifier(sharedSchema('media'))}.usage_deletions`;

/** Entries of a deleted collection are not counted, even before their rows are deleted. */
const isOfExistingCollection = (tenant: string) =>
  `NOT EXISTS (SELECT FROM ${deletions} d WHERE d.tenant_id = ${tenant} AND d.collection_id = s.collection_id)`;

/** Counts the entries that use each of these items, without trashed ones. Unused items are absent. */
export async function countUsage(
  sql: Queryable,
  tenant: Tenant,
  mediaIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await sql.query<{ mediaId: string; count: number }>({
    prepared: true,
    text: `SELECT s.media_id AS "mediaId", sum(s.entries)::bigint AS count FROM media_usage_counts s
      WHERE s.media_id = ANY($1) AND ${isOfExistingCollection('$2')} GROUP BY s.media_id`,
    values: [mediaIds, tenant.id],
  });
  return new Map(rows.map(({ mediaId, count }) => [mediaId, count]));
}

/** Selects a page of the entries that use an item, each with all its sources. */
export async function selectUsage(
  sql: Queryable,
  tenant: Tenant,
  mediaId: string,
  page: KeysetPage,
): Promise<UsageRow[]> {
  const place = new Parameters();
  const conditions = [
    `s.media_id = ${place.add(mediaId, 'text')}`,
    isOfExistingCollection(place.add(tenant.id, 'text')),
    page.condition(place),
  ];
  return sql.query<UsageRow>(
    `SELECT s.collection_id AS "collectionId", e.collection_slug AS collection, s.content_id AS "contentId", e.title, e.slug,
       e.locale, e.status, e.scheduled_at AS "scheduledAt", e.deleted_at AS "deletedAt",
       json_agg(json_build_object('variant', s.variant, 'occurrences', s.occurrences) ORDER BY s.variant) AS sources
     FROM media_usage_sources s JOIN media_usage_entries e USING (collection_id, content_id)
     WHERE ${conditions.join(' AND ')}
     GROUP BY s.collection_id, s.content_id, e.collection_id, e.content_id ${page.order(place)}`,
    place.values,
  );
}

export async function mediaItemExists(sql: Queryable, id: string): Promise<boolean> {
  return (await sql.query('SELECT 1 FROM media_items WHERE id = $1', [id])).length > 0;
}

/** Whether the index has the current state of an entry. @param entry undefined when it is deleted */
export async function matchesIndex(
  sql: Queryable,
  { id: collectionId, slug }: contentApi.RegisteredCollection,
  contentId: string,
  entry: contentApi.EntryMediaReferences | undefined,
): Promise<boolean> {
  const known = await selectDigestsOf(sql, collectionId, [contentId]);
  return known.get(contentId) === (entry && indexedEntry(slug, entry)?.digest);
}

/** Selects the digests of the indexed entries of a range by id. */
export async function selectDigests(
  sql: Queryable,
  collectionId: string,
  { after, upTo }: { after: string | null; upTo: string | null },
): Promise<Map<string, string>> {
  const rows = await sql.query<{ contentId: string; digest: string }>(
    `SELECT content_id AS "contentId", digest FROM media_usage_entries
     WHERE collection_id = $1 AND content_id > $2 AND ($3::text IS NULL OR content_id <= $3)`,
    [collectionId, after ?? '', upTo],
  );
  return new Map(rows.map(({ contentId, digest }) => [contentId, digest]));
}

/** Selects the digests of those of the entries that are indexed. */
export async function selectDigestsOf(
  sql: Queryable,
  collectionId: string,
  contentIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql.query<{ contentId: string; digest: string }>({
    prepared: true,
    text: `SELECT content_id AS "contentId", digest FROM media_usage_entries
      WHERE collection_id = $1 AND content_id = ANY($2)`,
    values: [collectionId, contentIds],
  });
  return new Map(rows.map(({ contentId, digest }) => [contentId, digest]));
}

/**
 * Inserts entries into the index or replaces them, and removes those without references to media.
 * @param known digests of the indexed ones of these entries; unchanged entries are not written
 */
export async function upsertIndexedEntries(
  sql: Queryable,
  { id: collectionId, slug }: contentApi.RegisteredCollection,
  entries: readonly contentApi.EntryMediaReferences[],
  known: ReadonlyMap<string, string>,
): Promise<void> {
  const indexed = entries.map((entry) => ({ id: entry.id, kept: indexedEntry(slug, entry) }));
  const changed = indexed.filter(({ id, kept }) => kept?.digest !== known.get(id));
  await deleteIndexedEntries(
    sql,
    collectionId,
    changed.map(({ id }) => id),
  );
  const kept = changed.flatMap((each) => each.kept ?? []);
  if (kept.length === 0) return;
  await sql.query(
    `INSERT INTO media_usage_entries
       (collection_id, content_id, collection_slug, title, slug, locale, status, scheduled_at, deleted_at, digest)
     SELECT $1, id, $2, title, slug, locale, status, "scheduledAt", "deletedAt", digest
     FROM json_to_recordset($3) AS e (id text, title text, slug text, locale text, status text,
       "scheduledAt" timestamptz, "deletedAt" timestamptz, digest text)`,
    [collectionId, slug, JSON.stringify(kept.map(({ row, digest }) => ({ ...row, digest })))],
  );
  const sources = kept.flatMap(({ contentId, sources }) =>
    sources.map((source) => ({ contentId, ...source })),
  );
  await sql.query(
    `INSERT INTO media_usage_sources (collection_id, content_id, media_id, variant, occurrences, counts)
     SELECT $1, "contentId", "mediaId", variant, occurrences, counts
     FROM json_to_recordset($2)
       AS s ("contentId" text, "mediaId" text, variant text, occurrences json, counts boolean)`,
    [collectionId, JSON.stringify(sources)],
  );
}

/** Deletes entries from the index. @returns the number of deleted sources */
export async function deleteIndexedEntries(
  sql: Queryable,
  collectionId: string,
  contentIds: readonly string[],
): Promise<number> {
  if (contentIds.length === 0) return 0;
  const [row] = await sql.query<{ count: number }>(
    `WITH counted AS (
       SELECT count(DISTINCT (content_id, variant)) AS count FROM media_usage_sources
       WHERE collection_id = $1 AND content_id = ANY($2)
     ), removed AS (
       DELETE FROM media_usage_entries WHERE collection_id = $1 AND content_id = ANY($2)
     ) SELECT count FROM counted`,
    [collectionId, contentIds],
  );
  return row?.count ?? 0;
}

/** Deletes a batch of a collection's entries from the index. @returns whether there may be more */
export async function deleteEntryBatch(
  sql: Queryable,
  collectionId: string,
  limit: number,
): Promise<boolean> {
  const removed = await sql.query(
    `DELETE FROM media_usage_entries WHERE collection_id = $1 AND content_id IN (
       SELECT content_id FROM media_usage_entries WHERE collection_id = $1 ORDER BY content_id LIMIT $2)
     RETURNING content_id`,
    [collectionId, limit],
  );
  return removed.length === limit;
}

/** Deletes a batch of a site's entries from the index. @returns whether there are more */
export async function deleteIndexBatch(sql: Queryable, limit: number): Promise<boolean> {
  await sql.query(
    `DELETE FROM media_usage_entries WHERE (collection_id, content_id) IN (
       SELECT collection_id, content_id FROM media_usage_entries ORDER BY collection_id, content_id LIMIT $1)`,
    [limit],
  );
  return (await sql.query('SELECT 1 FROM media_usage_entries LIMIT 1')).length > 0;
}

/** Maps an entry to its indexed form; undefined for an entry without references to media. */
function indexedEntry(
  collectionSlug: string,
  { sources, ...row }: contentApi.EntryMediaReferences,
): IndexedEntry | undefined {
  const counted = new Set<string>();
  const countsNow = (mediaId: string) =>
    row.deletedAt === null && !counted.has(mediaId) && counted.add(mediaId) !== undefined;
  const kept = usageVariants.flatMap((variant) =>
    [...byItem(sources[variant] ?? [])].map(([mediaId, occurrences]) => ({
      mediaId,
      variant,
      occurrences,
      counts: countsNow(mediaId),
    })),
  );
  if (kept.length === 0) return undefined;
  const all = JSON.stringify([
    collectionSlug,
    row.title,
    row.slug,
    row.locale,
    row.status,
    row.scheduledAt,
    row.deletedAt,
    kept,
  ]);
  const digest = createHash('sha256').update(all).digest('base64url');
  return { contentId: row.id, digest, row, sources: kept };
}

function byItem(
  references: NonNullable<contentApi.EntryMediaReferences['sources']['draft_overlay']>,
): Map<string, Occurrence[]> {
  const items = new Map<string, Occurrence[]>();
  for (const { mediaId, ...occurrence } of references) {
    const occurrences = items.get(mediaId);
    if (occurrences) occurrences.push(occurrence);
    else items.set(mediaId, [occurrence]);
  }
  return items;
}
