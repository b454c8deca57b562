import type { Queryable } from '@quire/database';
import type { AuditHead } from './audit-heads.repository.js';
import type { AuditLink, AuditRecord } from './audit-record.js';
import { recordColumns } from './audit.repository.js';

/** A link with its record, which is null when it is deleted. */
export interface ChainedRecord extends AuditLink {
  recordId: string;
  record: AuditRecord | null;
}

/** The columns of a deleted record are null. */
type ChainedRow = AuditLink & { recordId: string } & Omit<AuditRecord, 'id'> & { id: string | null };

/** @returns the links after `after` up to `upTo`, in order. @param range.since ISO time; older records are omitted */
export async function selectLinks(
  sql: Queryable,
  { after, upTo, since, limit }: { after: number; upTo?: number; since?: string | undefined; limit: number },
): Promise<ChainedRecord[]> {
  const rows = await sql.query<ChainedRow>(
    `SELECT c.seq, c.previous_hash AS "previousHash", c.hash, c.record_id AS "recordId", ${recordColumns}
     FROM audit_chain c LEFT JOIN audit_log a ON a.id = c.record_id
     WHERE c.seq > $1 AND ($2::bigint IS NULL OR c.seq <= $2) AND ($3::timestamptz IS NULL OR a.created_at >= $3)
     ORDER BY c.seq LIMIT $4`,
    [after, upTo ?? null, since ?? null, limit],
  );
  return rows.map(({ seq, previousHash, hash, recordId, ...record }) => ({
    seq,
    previousHash,
    hash,
    recordId,
    record: record.id === null ? null : { ...record, id: record.id },
  }));
}

/** @returns the last link; undefined before the first record. */
export async function selectLastLink(sql: Queryable): Promise<AuditHead | undefined> {
  const [link] = await sql.query<AuditHead>('SELECT seq, hash FROM audit_chain ORDER BY seq DESC LIMIT 1');
  return link;
}

/** Whether the chain contains a link with this number and hash. */
export async function hasLink(sql: Queryable, { seq, hash }: AuditHead): Promise<boolean> {
  const links = await sql.query('SELECT 1 FROM audit_chain WHERE seq = $1 AND hash = $2', [seq, hash]);
  return links.length > 0;
}

/** @returns the id of a record without a link: it was inserted past the trigger, or its link was deleted. */
export async function selectUnlinkedRecord(sql: Queryable): Promise<string | undefined> {
  const [record] = await sql.query<{ id: string }>(
    `SELECT a.id FROM audit_log a WHERE NOT EXISTS (SELECT 1 FROM audit_chain c WHERE c.record_id = a.id)
     ORDER BY a.created_at, a.id LIMIT 1`,
  );
  return record?.id;
}

/** @returns the link of the last expired record among the oldest `limit` ones; undefined without an expired one. */
export async function selectLastExpiredLink(
  sql: Queryable,
  retentionDays: number,
  limit: number,
): Promise<AuditHead | undefined> {
  const [end] = await sql.query<AuditHead>(
    `WITH oldest AS (
       SELECT c.seq, c.hash, a.created_at < now() - $1 * interval '1 day' AS is_expired
       FROM audit_chain c JOIN audit_log a ON a.id = c.record_id ORDER BY c.seq LIMIT $2
     ) SELECT seq, hash FROM oldest
     WHERE is_expired AND seq < coalesce((SELECT min(seq) FROM oldest WHERE NOT is_expired), $3)
     ORDER BY seq DESC LIMIT 1`,
    [retentionDays, limit, Number.MAX_SAFE_INTEGER],
  );
  return end;
}

/** Deletes the records up to a link, and the links before it. The link stays, for the hash of the next one. */
export async function deleteRecords(tx: Queryable, upTo: number): Promise<void> {
  await tx.query('DELETE FROM audit_log a USING audit_chain c WHERE c.record_id = a.id AND c.seq <= $1', [
    upTo,
  ]);
  await tx.query('DELETE FROM audit_chain WHERE seq < $1', [upTo]);
}
