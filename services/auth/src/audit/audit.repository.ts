import { Parameters, type KeysetPage, type Queryable } from '@quire/database';
import { recordDigest, type AuditRecord } from './audit-record.js';
import type { AuditEntryResponse, AuditFilters } from './audit.schemas.js';

/** The select list of a record, from `audit_log a`. */
export const recordColumns = `
  a.id, a.action, a.created_at AS "createdAt", json_build_object('kind', a.actor_kind, 'id', a.actor_id) AS actor,
  CASE WHEN a.target_type IS NOT NULL THEN json_build_object('type', a.target_type, 'id', a.target_id) END AS target,
  a.user_id AS "userId", a.client_address AS "clientAddress", a.request_id AS "requestId", a.details`;

const insertion = {
  prepared: true,
  text: `INSERT INTO audit_log (id, action, actor_kind, actor_id, target_type, target_id, user_id, client_address,
      request_id, details, created_at, digest)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (id) DO NOTHING RETURNING id`,
};

/** Inserts a record; the commit chains it. @returns false when a record with the id exists. */
export async function insertRecord(tx: Queryable, record: AuditRecord): Promise<boolean> {
  const { id, action, createdAt, actor, target, userId, clientAddress, requestId, details } = record;
  const inserted = await tx.query({
    ...insertion,
    values: [
      id,
      action,
      actor.kind,
      actor.id,
      target?.type ?? null,
      target?.id ?? null,
      userId,
      clientAddress,
      requestId,
      JSON.stringify(details),
      createdAt,
      recordDigest(record),
    ],
  });
  return inserted.length > 0;
}

const responseColumns = `
  a.id, a.action, a.created_at AS "createdAt", a.client_address AS "clientAddress", a.request_id AS "requestId", a.details,
  json_build_object('kind', a.actor_kind, 'id', a.actor_id, 'name', coalesce(u.name, u.email)) AS actor,
  CASE WHEN a.target_type IS NOT NULL THEN json_build_object('type', a.target_type, 'id', a.target_id) END AS target,
  a.user_id AS "userId"`;

/** Lists are ordered by time, newest first. */
export const auditOrder = {
  column: 'a.created_at',
  idColumn: 'a.id',
  direction: 'desc',
  cast: 'timestamptz',
  neverNull: true,
} as const;

/** @returns the matching events of one page; `user` matches actors and affected users. */
export async function selectEvents(
  sql: Queryable,
  filters: AuditFilters,
  page: KeysetPage,
): Promise<AuditEntryResponse[]> {
  const { action, user, from, to } = filters;
  const params = new Parameters();
  const conditions = [page.condition(params)];
  if (action !== undefined) conditions.push(`a.action = ${params.add(action)}`);
  if (user !== undefined) {
    const id = params.add(user);
    conditions.push(`(a.actor_id = ${id} OR a.user_id = ${id})`);
  }
  if (from !== undefined) conditions.push(`a.created_at >= ${params.add(from, 'timestamptz')}`);
  if (to !== undefined) conditions.push(`a.created_at <= ${params.add(to, 'timestamptz')}`);
  const text = `SELECT ${responseColumns} FROM audit_log a LEFT JOIN users u ON u.id = a.actor_id
    WHERE ${conditions.join(' AND ')} ${page.order(params)}`;
  return sql.query<AuditEntryResponse>(text, params.values);
}
