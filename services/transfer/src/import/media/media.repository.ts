import type { Queryable } from '@quire/database';
import { completeDownloads, type LeasedDownload } from './download-slots.repository.js';
import { cancelDownloads, cancelHost } from './download-tasks.repository.js';
import type { DownloadState } from './media-download.entity.js';
import type { MediaImport } from './media-import.entity.js';

/** A row of a new import. */
export interface NewDownload {
  number: number;
  legacyId: number | null;
  url: string;
  urlHash: string | null;
  filename: string | null;
  mimeType: string | null;
  alt: string | null;
  caption: string | null;
  sameAs: number | null;
  state: DownloadState;
  itemId: string;
  error: string | null;
  mediaId: string | null;
  newUrl: string | null;
}

const retentionDays = 7;

export type ImportStatus = Pick<MediaImport, 'id' | 'state' | 'total' | 'error'>;

const importColumns = 'id, state, total, error';

/** @returns the running import of a list. */
export async function selectRunningImport(
  sql: Queryable,
  listHash: string,
): Promise<ImportStatus | undefined> {
  const [found] = await sql.query<ImportStatus>(
    `SELECT ${importColumns} FROM media_imports WHERE list_hash = $1 AND state = 'running'`,
    [listHash],
  );
  return found;
}

export async function selectImport(sql: Queryable, id: string): Promise<ImportStatus | undefined> {
  const [found] = await sql.query<ImportStatus>({
    prepared: true,
    text: `SELECT ${importColumns} FROM media_imports WHERE id = $1`,
    values: [id],
  });
  return found;
}

/** @returns false when the list has a running import. */
export async function insertImport(
  tx: Queryable,
  { id, listHash, total, requestedBy }: Pick<MediaImport, 'id' | 'listHash' | 'total' | 'requestedBy'>,
): Promise<boolean> {
  const inserted = await tx.query(
    `INSERT INTO media_imports (id, list_hash, state, total, requested_by) VALUES ($1, $2, 'running', $3, $4)
     ON CONFLICT (list_hash) WHERE state = 'running' DO NOTHING RETURNING 1`,
    [id, listHash, total, requestedBy],
  );
  return inserted.length > 0;
}

/** Deletes the progress of imports that ended long ago. Their files, and `media_sources`, stay. */
export async function deleteOldImports(sql: Queryable): Promise<void> {
  await sql.query(
    `DELETE FROM media_imports WHERE finished_at < now() - make_interval(days => ${retentionDays})`,
  );
}

export async function insertDownloads(
  tx: Queryable,
  importId: string,
  downloads: readonly NewDownload[],
): Promise<void> {
  await tx.query(
    `INSERT INTO media_downloads (import_id, number, legacy_id, url, url_hash, filename, mime_type, alt, caption,
       same_as, state, item_id, error, media_id, new_url)
     SELECT $1, number, "legacyId", url, "urlHash", filename, "mimeType", alt, caption, "sameAs", state, "itemId",
       error, "mediaId", "newUrl"
     FROM json_to_recordset($2) AS d (number integer, "legacyId" bigint, url text, "urlHash" text, filename text,
       "mimeType" text, alt text, caption text, "sameAs" integer, state text, "itemId" text, error text,
       "mediaId" text, "newUrl" text)`,
    [importId, JSON.stringify(downloads)],
  );
}

/** @returns the media items of downloaded addresses, by the hash of the address. */
export async function selectSources(
  sql: Queryable,
  urlHashes: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql.query<{ urlHash: string; mediaId: string }>(
    'SELECT url_hash AS "urlHash", media_id AS "mediaId" FROM media_sources WHERE url_hash = ANY($1)',
    [urlHashes],
  );
  return new Map(rows.map(({ urlHash, mediaId }) => [urlHash, mediaId]));
}

/** A download at the beginning of an attempt. */
export interface StartedDownload {
  importId: string;
  number: number;
  url: string;
  filename: string | null;
  mimeType: string | null;
  alt: string | null;
  caption: string | null;
  itemId: string;
  urlHash: string;
  requestedBy: string | null;
  /** The media item of the address, from another import. */
  knownMediaId: string | null;
}

/** @returns those of the downloads that are not finished, and whose import is not. */
export async function selectUnfinishedDownloads(
  sql: Queryable,
  downloads: readonly { importId: string; number: number }[],
): Promise<StartedDownload[]> {
  return sql.query<StartedDownload>({
    prepared: true,
    text: `SELECT d.import_id AS "importId", d.number, d.url, d.filename, d.mime_type AS "mimeType", d.alt, d.caption,
        d.item_id AS "itemId", d.url_hash AS "urlHash", i.requested_by AS "requestedBy", s.media_id AS "knownMediaId"
      FROM unnest($1::text[], $2::integer[]) AS leased (import_id, number)
      JOIN media_downloads d USING (import_id, number)
      JOIN media_imports i ON i.id = d.import_id AND i.state = 'running'
      LEFT JOIN media_sources s ON s.url_hash = d.url_hash
      WHERE d.state IN ('pending', 'downloading', 'uploading')`,
    values: [downloads.map(({ importId }) => importId), downloads.map(({ number }) => number)],
  });
}

/** Marks how far an unfinished download is; an earlier attempt may have been further. */
export async function markDownload(
  sql: Queryable,
  { importId, number }: LeasedDownload,
  state: 'downloading' | 'uploading',
): Promise<void> {
  await sql.query({
    prepared: true,
    text: `UPDATE media_downloads SET state = $3, updated_at = clock_timestamp()
      WHERE import_id = $1 AND number = $2 AND state IN ('pending', 'downloading')`,
    values: [importId, number, state],
  });
}

/** Counts a failed attempt. @returns the failed attempts so far. */
export async function countTry(sql: Queryable, { importId, number }: LeasedDownload): Promise<number> {
  const [row] = await sql.query<{ tries: number }>(
    `UPDATE media_downloads SET tries = tries + 1, state = 'pending', updated_at = clock_timestamp()
     WHERE import_id = $1 AND number = $2 AND state IN ('pending', 'downloading', 'uploading') RETURNING tries`,
    [importId, number],
  );
  return row?.tries ?? 0;
}

/** The end of a download. */
export type DownloadEnd =
  | { state: 'done' | 'skipped'; mediaId: string; newUrl: string; urlHash: string }
  | { state: 'failed'; error: string };

/** A leased download with its end. */
export type EndedDownload = LeasedDownload & { end: DownloadEnd };

/**
 * Ends downloads and those with the same addresses, for which a stored file counts as skipped. Runs in a transaction.
 * Of downloads whose lease is lost nothing is written.
 */
export async function endDownloads(tx: Queryable, downloads: readonly EndedDownload[]): Promise<void> {
  const held = await completeDownloads(tx, downloads);
  if (held.length === 0) return;
  const rows = held.map(({ importId, number, end }) => ({ importId, number, ...end }));
  await tx.query({
    prepared: true,
    text: `WITH ended AS (
        SELECT * FROM json_to_recordset($1)
          AS e ("importId" text, number integer, state text, "mediaId" text, "newUrl" text, error text)
      ), changed AS (
        SELECT *, number AS target, state AS result FROM ended
        UNION ALL
        SELECT e.*, d.number, CASE e.state WHEN 'failed' THEN e.state ELSE 'skipped' END FROM ended e
        JOIN media_downloads d ON d.import_id = e."importId" AND d.same_as = e.number
      )
      UPDATE media_downloads d SET state = c.result, media_id = c."mediaId", new_url = c."newUrl", error = c.error,
        updated_at = clock_timestamp()
      FROM changed c WHERE d.import_id = c."importId" AND d.number = c.target`,
    values: [JSON.stringify(rows)],
  });
  // Other workers that write the same addresses do so in the same order.
  await tx.query({
    prepared: true,
    text: `INSERT INTO media_sources (url_hash, media_id)
      SELECT DISTINCT ON ("urlHash") "urlHash", "mediaId"
      FROM json_to_recordset($1) AS e ("urlHash" text, "mediaId" text)
      WHERE "urlHash" IS NOT NULL ORDER BY "urlHash"
      ON CONFLICT (url_hash) DO UPDATE SET media_id = excluded.media_id`,
    values: [JSON.stringify(rows)],
  });
}

/**
 * Fails the remaining downloads of a host, and those with the same addresses. Runs in a transaction.
 * @returns the ids of their imports
 */
export async function failHost(
  tx: Queryable,
  host: { tenantId: string; host: string },
  error: string,
): Promise<string[]> {
  const cancelled = await cancelHost(tx, host);
  await tx.query(
    `UPDATE media_downloads d SET state = 'failed', error = $3, updated_at = clock_timestamp()
     FROM unnest($1::text[], $2::integer[]) AS c (import_id, number)
     WHERE d.import_id = c.import_id AND (d.number = c.number OR d.same_as = c.number)
       AND d.state IN ('pending', 'downloading', 'uploading')`,
    [cancelled.map(({ importId }) => importId), cancelled.map(({ number }) => number), error],
  );
  return [...new Set(cancelled.map(({ importId }) => importId))];
}

/** Completes an import without unfinished downloads. Runs after the commit of the last one's end. */
export async function completeImport(sql: Queryable, id: string): Promise<void> {
  await sql.query({
    prepared: true,
    text: `UPDATE media_imports SET state = 'complete', finished_at = now()
      WHERE id = $1 AND state = 'running' AND NOT EXISTS (
        SELECT FROM media_downloads
        WHERE import_id = $1 AND state IN ('pending', 'downloading', 'uploading'))`,
    values: [id],
  });
}

/** Ends an import with its remaining downloads. Runs in a transaction. */
export async function failImport(
  tx: Queryable,
  { tenantId, importId }: { tenantId: string; importId: string },
  error: NonNullable<MediaImport['error']>,
): Promise<void> {
  await tx.query(
    `UPDATE media_imports SET state = 'failed', error = $2, finished_at = now() WHERE id = $1 AND state = 'running'`,
    [importId, JSON.stringify(error)],
  );
  await cancelDownloads(tx, { tenantId, importId });
}

/** A download whose state has changed. */
export interface ChangedDownload {
  number: number;
  url: string;
  filename: string | null;
  state: DownloadState;
  error: string | null;
  /** Milliseconds since 1970. */
  changedAt: number;
}

/** @returns the begun downloads that changed since a time, or all of them, in the order of the changes. */
export async function selectChangedDownloads(
  sql: Queryable,
  importId: string,
  since: number | undefined,
): Promise<ChangedDownload[]> {
  return sql.query<ChangedDownload>({
    prepared: true,
    text: `SELECT number, url, filename, state, error, (extract(epoch FROM updated_at) * 1000)::bigint AS "changedAt"
      FROM media_downloads
      WHERE import_id = $1 AND updated_at >= to_timestamp($2::double precision / 1000) AND state <> 'pending'
      ORDER BY updated_at, number`,
    values: [importId, since ?? 0],
  });
}

/** A finished download. */
export interface FinishedDownload {
  legacyId: number | null;
  url: string;
  mediaId: string | null;
  newUrl: string | null;
  error: string | null;
}

/** @returns the finished downloads in the order of the list. */
export async function selectFinishedDownloads(sql: Queryable, importId: string): Promise<FinishedDownload[]> {
  return sql.query<FinishedDownload>(
    `SELECT legacy_id AS "legacyId", url, media_id AS "mediaId", new_url AS "newUrl", error FROM media_downloads
     WHERE import_id = $1 AND state IN ('done', 'skipped', 'failed') ORDER BY number`,
    [importId],
  );
}
