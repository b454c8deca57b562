import { identifier, type Queryable } from '@quire/database';
import type { contentApi } from '@quire/internal-api';
import { sharedSchema, type Tenant } from '@quire/tenancy';
import type { RepairStatus } from './usage.schemas.js';

/** The coverage of a collection. */
export interface CoverageRow {
  collectionId: string;
  /** The stored status, which a newer version of the program may have written. */
  status: string;
  isTracked: boolean;
  isOutdated: boolean;
  shape: string | null;
  hasCompleted: boolean;
  /** Start of the last repair. */
  startedAt: string | null;
  /** Whether the lease of the running repair is valid. */
  isRepairAlive: boolean;
  /** Whether changes are pending for too long, or could not be indexed. */
  hasLateWork: boolean;
}

/** A running repair. */
export interface RunningRepair {
  collectionId: string;
  token: string;
}

/** The numbers of sources by result. */
export interface RepairCounts {
  indexed: number;
  failed: number;
  skipped: number;
  deleted: number;
}

export interface FinishedRepair {
  status: RepairStatus;
  startedAt: string;
  completedAt: string | null;
}

/** Lease of a repair. Each page extends it. */
const repairLeaseSeconds = 60;
/** Changes that are pending for longer make the coverage stale. */
const lateAfterSeconds = 10;

const work = `${identifier(sharedSchema('media'))}.usage_work`;

const columns = `c.collection_id AS "collectionId", c.status, c.is_tracked AS "isTracked", c.is_outdated AS "isOutdated",
  c.shape, c.started_at AS "startedAt", c.completed_at IS NOT NULL AS "hasCompleted", coalesce(c.repair_expires_at > now(), false) AS "isRepairAlive"`;

/** The coverage of all collections of a site. */
export async function selectCoverage(sql: Queryable, { id }: Tenant): Promise<CoverageRow[]> {
  return sql.query<CoverageRow>({
    prepared: true,
    text: `SELECT ${columns}, EXISTS (
        SELECT FROM ${work} w WHERE w.tenant_id = $1 AND w.collection_id = c.collection_id
          AND (w.state IN ('retry', 'failed') OR w.updated_at < now() - make_interval(secs => $2))
      ) AS "hasLateWork"
      FROM media_usage_coverage c`,
    values: [id, lateAfterSeconds],
  });
}

export async function selectCollectionCoverage(
  sql: Queryable,
  collectionId: string,
): Promise<Omit<CoverageRow, 'hasLateWork'> | undefined> {
  const [row] = await sql.query<Omit<CoverageRow, 'hasLateWork'>>({
    prepared: true,
    text: `SELECT ${columns} FROM media_usage_coverage c WHERE c.collection_id = $1`,
    values: [collectionId],
  });
  return row;
}

/** Marks a collection as tracked and subscribed: its changes are indexed from now on. */
export async function trackCollection(
  sql: Queryable,
  { id, slug }: contentApi.RegisteredCollection,
): Promise<void> {
  await sql.query(
    `INSERT INTO media_usage_coverage (collection_id, collection_slug, status, is_tracked, is_subscribed)
     VALUES ($1, $2, 'never', true, true)
     ON CONFLICT (collection_id) DO UPDATE SET is_tracked = true, is_subscribed = true`,
    [id, slug],
  );
}

/**
 * Marks collections as tracked and not yet subscribed: the next repair subscribes to their changes before it reads
 * them. Until then a former index is stale.
 */
export async function trackUnsubscribed(
  sql: Queryable,
  collections: readonly contentApi.RegisteredCollection[],
): Promise<void> {
  await sql.query(
    `INSERT INTO media_usage_coverage AS c (collection_id, collection_slug, status, is_tracked)
     SELECT id, slug, 'never', true FROM unnest($1::text[], $2::text[]) AS collection (id, slug)
     ON CONFLICT (collection_id) DO UPDATE SET is_tracked = true, is_subscribed = false, is_outdated = true,
       status = CASE WHEN c.status IN ('complete', 'partial') THEN 'stale' ELSE c.status END`,
    [collections.map(({ id }) => id), collections.map(({ slug }) => slug)],
  );
}

/** The collections of which the index has anything, deleted ones included. */
export async function selectCoveredCollections(sql: Queryable): Promise<contentApi.RegisteredCollection[]> {
  return sql.query<contentApi.RegisteredCollection>(
    `SELECT collection_id AS id, min(collection_slug) AS slug FROM (
       SELECT collection_id, collection_slug FROM media_usage_coverage
       UNION SELECT collection_id, collection_slug FROM media_usage_entries
     ) covered GROUP BY collection_id`,
  );
}

/** Marks a collection as subscribed at the content service. */
export async function markSubscribed(sql: Queryable, collectionId: string): Promise<void> {
  await sql.query('UPDATE media_usage_coverage SET is_subscribed = true WHERE collection_id = $1', [
    collectionId,
  ]);
}

/** Stores the shape of a collection's fields with which its index is built. */
export async function setShape(sql: Queryable, collectionId: string, shape: string): Promise<void> {
  await sql.query('UPDATE media_usage_coverage SET shape = $2 WHERE collection_id = $1', [
    collectionId,
    shape,
  ]);
}

/**
 * Marks the index as outdated, so that a running repair ends as stale. Does nothing if a repair has started since the
 * row was read: that repair reads the current state.
 */
export async function markOutdated(
  sql: Queryable,
  { collectionId, startedAt }: Pick<CoverageRow, 'collectionId' | 'startedAt'>,
): Promise<void> {
  await sql.query(
    `UPDATE media_usage_coverage SET is_outdated = true,
       status = CASE WHEN status IN ('complete', 'partial') THEN 'stale' ELSE status END
     WHERE collection_id = $1 AND started_at IS NOT DISTINCT FROM $2::timestamptz`,
    [collectionId, startedAt],
  );
}

/**
 * Starts a repair, which supersedes a running one. While all collections are tracked, a new one is tracked from its
 * creation, even if its message arrives after the repair.
 */
export async function startRepair(
  sql: Queryable,
  { id, slug }: contentApi.RegisteredCollection,
  token: string,
): Promise<{ startedAt: string; isSubscribed: boolean }> {
  const [row] = await sql.query<{ startedAt: string; isSubscribed: boolean }>(
    `INSERT INTO media_usage_coverage AS c (collection_id, collection_slug, status, started_at, repair_token, repair_expires_at,
       is_tracked, is_subscribed)
     SELECT $1, $2, 'running', now(), $3, now() + make_interval(secs => $4), state = 'active', state = 'active'
     FROM usage_activation
     ON CONFLICT (collection_id) DO UPDATE SET status = 'running', started_at = excluded.started_at, is_outdated = false,
       indexed_sources = 0, failed_sources = 0, skipped_sources = 0, deleted_sources = 0, last_error_code = NULL,
       repair_token = excluded.repair_token, repair_expires_at = excluded.repair_expires_at
     RETURNING started_at AS "startedAt", is_subscribed AS "isSubscribed"`,
    [id, slug, token, repairLeaseSeconds],
  );
  if (!row) throw new Error('INSERT INTO media_usage_coverage returned no row');
  // After the lock of the coverage, like the worker: in the other order the two deadlock.
  await sql.query('DELETE FROM media_usage_indexed_meanwhile WHERE collection_id = $1', [id]);
  return row;
}

/** Locks the repair for a page: a worker that indexes an entry waits. @returns false when another repair has started */
export async function lockRepair(sql: Queryable, { collectionId, token }: RunningRepair): Promise<boolean> {
  const locked = await sql.query(
    `UPDATE media_usage_coverage SET repair_expires_at = now() + make_interval(secs => $3)
     WHERE collection_id = $1 AND repair_token = $2 RETURNING collection_id`,
    [collectionId, token, repairLeaseSeconds],
  );
  return locked.length > 0;
}

/** Adds the counts of a page, which show the progress. */
export async function addCounts(
  sql: Queryable,
  { collectionId }: RunningRepair,
  { indexed, failed, skipped, deleted }: RepairCounts,
): Promise<void> {
  await sql.query(
    `UPDATE media_usage_coverage SET indexed_sources = indexed_sources + $2, failed_sources = failed_sources + $3,
       skipped_sources = skipped_sources + $4, deleted_sources = deleted_sources + $5
     WHERE collection_id = $1`,
    [collectionId, indexed, failed, skipped, deleted],
  );
}

/**
 * Ends a repair. A completed one is stale if a change during the repair is not in the index.
 * @returns undefined when another repair has started
 */
export async function finishRepair(
  sql: Queryable,
  { collectionId, token }: RunningRepair,
  end: { status: RepairStatus; errorCode: string | null },
): Promise<FinishedRepair | undefined> {
  const isCompleted = end.status === 'complete' || end.status === 'stale';
  const [row] = await sql.query<FinishedRepair>(
    `UPDATE media_usage_coverage SET status = CASE WHEN is_outdated AND $3 = 'complete' THEN 'stale' ELSE $3 END,
       last_error_code = $4, completed_at = CASE WHEN $5 THEN now() ELSE completed_at END,
       repair_token = NULL, repair_expires_at = NULL
     WHERE collection_id = $1 AND repair_token = $2
     RETURNING status, started_at AS "startedAt", CASE WHEN $5 THEN completed_at END AS "completedAt"`,
    [collectionId, token, end.status, end.errorCode, isCompleted],
  );
  // The entries recorded for another repair are still needed by it.
  if (row)
    await sql.query('DELETE FROM media_usage_indexed_meanwhile WHERE collection_id = $1', [collectionId]);
  return row;
}

/** Records an indexed entry for a running repair of its collection, which may have read an older state. */
export async function recordIndexed(sql: Queryable, collectionId: string, contentId: string): Promise<void> {
  const [row] = await sql.query<{ status: string }>(
    'SELECT status FROM media_usage_coverage WHERE collection_id = $1 FOR SHARE',
    [collectionId],
  );
  if (row?.status !== 'running') return;
  await sql.query(
    'INSERT INTO media_usage_indexed_meanwhile (collection_id, content_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [collectionId, contentId],
  );
}

/** Selects the entries of a range that were indexed since the start of the repair. */
export async function selectIndexedSince(
  sql: Queryable,
  collectionId: string,
  { after, upTo }: { after: string | null; upTo: string | null },
): Promise<Set<string>> {
  const rows = await sql.query<{ contentId: string }>(
    `SELECT content_id AS "contentId" FROM media_usage_indexed_meanwhile
     WHERE collection_id = $1 AND content_id > $2 AND ($3::text IS NULL OR content_id <= $3)`,
    [collectionId, after ?? '', upTo],
  );
  return new Set(rows.map(({ contentId }) => contentId));
}

/** Cancels a running repair. */
export async function cancelRepair(sql: Queryable, collectionId: string): Promise<void> {
  await sql.query('UPDATE media_usage_coverage SET repair_token = NULL WHERE collection_id = $1', [
    collectionId,
  ]);
}

/** Deletes the coverage of a collection. */
export async function deleteCoverage(sql: Queryable, collectionId: string): Promise<void> {
  await sql.query('DELETE FROM media_usage_coverage WHERE collection_id = $1', [collectionId]);
  await sql.query('DELETE FROM media_usage_indexed_meanwhile WHERE collection_id = $1', [collectionId]);
}

/** Cancels the running repairs of a site. */
export async function cancelAllRepairs(sql: Queryable): Promise<void> {
  await sql.query('UPDATE media_usage_coverage SET repair_token = NULL WHERE repair_token IS NOT NULL');
}

/** Deletes the coverage of all collections of a site. */
export async function deleteAllCoverage(sql: Queryable): Promise<void> {
  await sql.query('DELETE FROM media_usage_coverage');
  await sql.query('DELETE FROM media_usage_indexed_meanwhile');
}
