import { columnsOf, type Queryable, type Row, type Statement, type Transaction } from '@quire/database';
import type { contentImportApi } from '@quire/internal-api';
import { stringifyJson } from '@quire/values';
import { isNotOfDeletedEntry } from '../../deletions/index.js';
import { ImportRecord, type ImportedKind } from './import-record.entity.js';

/** A record without its remainder, which is stored for later use and read by no import. */
export type StoredRecord = Omit<Row<ImportRecord>, 'remainder'>;

/** The values of a record; the times are the database's. */
export interface NewRecord {
  source: contentImportApi.SourceKey;
  kind: ImportedKind;
  targetId: string;
  /** Slug of an entry's collection. */
  collection?: string | null;
  /** Empty for objects that later imports leave as they are. */
  fingerprint?: string;
  /** 1 unless given. */
  targetVersion?: number;
  parent?: contentImportApi.SourceKey | null;
  remainder?: Record<string, unknown> | null;
  /** False unless given. */
  isTrashed?: boolean;
  /** The answer about the object, for a call that is repeated. */
  result?: object | null;
}

const columns = columnsOf(ImportRecord, { of: 'r', except: ['remainder'] });

/** Identifies a source object among those of one site: the key of the maps of this folder. */
export const keyOf = ({ type, id }: contentImportApi.SourceKey) => `${type}\u0000${id}`;

/**
 * Serialises the calls that write objects of one source site until the transaction ends, so that a call which is
 * repeated while the first one still runs waits for its records.
 */
export async function lockSource(tx: Transaction, tenantId: string, site: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`import:${tenantId}:${site}`]);
}

/** @returns records of source objects by `keyOf`; entries of deleted collections have none. */
export async function selectRecords(
  sql: Queryable,
  site: string,
  keys: readonly contentImportApi.SourceKey[],
): Promise<Map<string, StoredRecord>> {
  if (keys.length === 0) return new Map();
  const rows = await sql.query<StoredRecord>({
    prepared: true,
    // The limit makes PostgreSQL use the key, whatever it knows of the table's size.
    text: `SELECT r.* FROM unnest($2::text[], $3::text[]) AS k (type, id) CROSS JOIN LATERAL (
        SELECT ${columns} FROM import_records r
        WHERE r.site = $1 AND r.source_type = k.type AND r.source_id = k.id
          AND ${isNotOfDeletedEntry('r.target_id')} LIMIT 1
      ) r`,
    values: [site, keys.map(({ type }) => type), keys.map(({ id }) => id)],
  });
  return new Map(rows.map((row) => [keyOf({ type: row.sourceType, id: row.sourceId }), row]));
}

/** Inserts records of objects that this import has created, with one statement; replaces those of deleted objects. */
export async function insertRecords(
  sql: Queryable,
  run: contentImportApi.ImportRun,
  rows: readonly NewRecord[],
): Promise<void> {
  if (rows.length > 0) await sql.query(recordInsertion(run, rows));
}

function recordInsertion(
  { site, importId }: contentImportApi.ImportRun,
  rows: readonly NewRecord[],
): Statement {
  return {
    prepared: true,
    text: `
      INSERT INTO import_records AS r (site, import_id, updated_by, source_type, source_id, kind, target_id, collection,
        fingerprint, target_version, parent_type, parent_id, remainder, is_trashed, result)
      SELECT $1, $2, $2, n.type, n.id, n.kind, n.target_id, n.collection, n.fingerprint, n.target_version, n.parent_type,
        n.parent_id, n.remainder, n.is_trashed, n.result
      FROM json_to_recordset($3) AS n (type text, id text, kind text, target_id text, collection text, fingerprint text,
        target_version integer, parent_type text, parent_id text, remainder json, is_trashed boolean, result json)
      ON CONFLICT (site, source_type, source_id) DO UPDATE SET import_id = excluded.import_id,
        updated_by = excluded.updated_by, kind = excluded.kind, target_id = excluded.target_id,
        collection = excluded.collection, fingerprint = excluded.fingerprint, target_version = excluded.target_version,
        parent_type = excluded.parent_type, parent_id = excluded.parent_id, parent_group = NULL, remainder = excluded.remainder,
        is_trashed = excluded.is_trashed, result = excluded.result, created_at = now(), updated_at = now()`,
    values: [site, importId, stringifyJson(rows.map(toJsonRow))],
  };
}

function toJsonRow(row: NewRecord) {
  return {
    type: row.source.type,
    id: row.source.id,
    kind: row.kind,
    target_id: row.targetId,
    collection: row.collection ?? null,
    fingerprint: row.fingerprint ?? '',
    target_version: row.targetVersion ?? 1,
    parent_type: row.parent?.type ?? null,
    parent_id: row.parent?.id ?? null,
    remainder: row.remainder ?? null,
    is_trashed: row.isTrashed ?? false,
    result: row.result ?? null,
  };
}

/** Stores that this import has updated objects, with one statement. The import that created them stays the same. */
export async function updateRecords(
  sql: Queryable,
  run: contentImportApi.ImportRun,
  rows: readonly NewRecord[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql.query(
    `UPDATE import_records r SET updated_by = $2, fingerprint = n.fingerprint, target_version = n.target_version,
       parent_type = n.parent_type, parent_id = n.parent_id, remainder = n.remainder, is_trashed = n.is_trashed,
       result = n.result, updated_at = now()
     FROM json_to_recordset($3) AS n (type text, id text, fingerprint text, target_version integer, parent_type text,
       parent_id text, remainder json, is_trashed boolean, result json)
     WHERE r.site = $1 AND r.source_type = n.type AND r.source_id = n.id`,
    [run.site, run.importId, stringifyJson(rows.map(toJsonRow))],
  );
}

/** A write of Quire itself to an imported entry: the versions before and after it. */
export interface OwnWrite {
  entryId: string;
  fromVersion: number;
  toVersion: number;
}

/** Keeps entries that no user has edited recognisable as such after a write of Quire itself, as of new media URLs. */
export async function advanceTargetVersions(sql: Queryable, writes: readonly OwnWrite[]): Promise<void> {
  await sql.query(
    `UPDATE import_records r SET target_version = w.after
     FROM unnest($1::text[], $2::integer[], $3::integer[]) AS w (id, before, after)
     WHERE r.target_id = w.id AND r.kind = 'entry' AND r.target_version = w.before`,
    [
      writes.map(({ entryId }) => entryId),
      writes.map(({ fromVersion }) => fromVersion),
      writes.map(({ toVersion }) => toVersion),
    ],
  );
}

/** @returns those of the entries that an import created, of any source site. */
export async function selectImportedTargets(
  sql: Queryable,
  targetIds: readonly string[],
): Promise<Set<string>> {
  if (targetIds.length === 0) return new Set();
  const rows = await sql.query<{ id: string }>(
    'SELECT DISTINCT target_id AS id FROM import_records WHERE target_id = ANY($1)',
    [targetIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Deletes the records of source objects of one site. */
export async function deleteRecords(
  sql: Queryable,
  site: string,
  keys: readonly contentImportApi.SourceKey[],
): Promise<void> {
  await sql.query(
    `DELETE FROM import_records r USING unnest($2::text[], $3::text[]) AS k (type, id)
     WHERE r.site = $1 AND r.source_type = k.type AND r.source_id = k.id`,
    [site, keys.map(({ type }) => type), keys.map(({ id }) => id)],
  );
}
