import {
  Parameters,
  type KeysetPage,
  type Queryable,
  type Transaction,
  type TransactionalDatabase,
} from '@quire/database';
import { ulid } from 'ulid';
import { pathContainsCondition } from '../path-search.js';
import type { NotFoundEntryResponse } from './not-found-log.schemas.js';
import { mergeReferrers, type NotFoundHits } from './not-found-hits.js';

/** The log keeps so many paths; those that were last seen longest ago give way (contract 23). */
const maxEntries = 10_000;

interface Target {
  db: TransactionalDatabase;
  tenantId: string;
}

export interface SummaryRow {
  path: string;
  count: number;
  lastSeen: string;
  referrers: Record<string, number>;
}

/** Adds hits to the log, by path, and lets the oldest paths give way. */
export function upsertHits(target: Target, hits: ReadonlyMap<string, NotFoundHits>): Promise<void> {
  return withLogLock(target, async (tx) => {
    const known = await tx.query<{ path: string; referrers: Record<string, number> }>(
      'SELECT path, referrers FROM not_found_log WHERE path = ANY($1)',
      [[...hits.keys()]],
    );
    const before = new Map(known.map(({ path, referrers }) => [path, new Map(Object.entries(referrers))]));
    await upsert(
      tx,
      [...hits].map(([path, one]) => ({
        path,
        ...one,
        referrers: mergeReferrers(before.get(path) ?? new Map<string, number>(), one.referrers),
      })),
    );
    if (known.length < hits.size) await deleteOldest(tx);
  });
}

async function upsert(tx: Queryable, rows: readonly (NotFoundHits & { path: string })[]): Promise<void> {
  const column = (of: (row: NotFoundHits & { path: string }) => unknown) => rows.map(of);
  await tx.query(
    `INSERT INTO not_found_log AS log
       (id, path, count, referrer, user_agent, ip, referrers, created_at, last_seen_at)
     SELECT id, path, count, referrer, user_agent, ip, referrers::json, created_at, last_seen_at
     FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[],
       $8::timestamptz[], $9::timestamptz[])
       AS seen (id, path, count, referrer, user_agent, ip, referrers, created_at, last_seen_at)
     ON CONFLICT (path) DO UPDATE SET
       count = log.count + excluded.count,
       referrer = excluded.referrer,
       user_agent = excluded.user_agent,
       ip = excluded.ip,
       referrers = excluded.referrers,
       last_seen_at = greatest(log.last_seen_at, excluded.last_seen_at)`,
    [
      column(() => ulid()),
      column(({ path }) => path),
      column(({ count }) => count),
      column(({ referrer }) => referrer),
      column(({ userAgent }) => userAgent),
      column(({ ip }) => ip),
      column(({ referrers }) => JSON.stringify(Object.fromEntries(referrers))),
      column(({ firstAt }) => firstAt),
      column(({ lastAt }) => lastAt),
    ],
  );
}

async function deleteOldest(tx: Queryable): Promise<void> {
  await tx.query(
    `DELETE FROM not_found_log WHERE id IN (
       SELECT id FROM not_found_log ORDER BY last_seen_at DESC, id DESC OFFSET $1
     )`,
    [maxEntries],
  );
}

/** Deletes the paths that were last seen before an instant, or all. @returns how many. */
export function deleteLogEntries(target: Target, before?: string): Promise<number> {
  const condition = before === undefined ? 'true' : 'last_seen_at < $1';
  return withLogLock(target, async (tx) => {
    const [deleted] = await tx.query<{ count: number }>(
      `WITH deleted AS (DELETE FROM not_found_log WHERE ${condition} RETURNING id) SELECT count(*) AS count FROM deleted`,
      before === undefined ? [] : [before],
    );
    return deleted?.count ?? 0;
  });
}

/** Lists go by the first visit, newest first. */
export const logOrder = {
  column: 'created_at',
  idColumn: 'id',
  direction: 'desc',
  cast: 'timestamptz',
  neverNull: true,
} as const;

/** Paths that hold a text, as it is sent or as browsers escape it; the newest first. */
export function selectEntries(
  sql: Queryable,
  search: string | undefined,
  page: KeysetPage,
): Promise<NotFoundEntryResponse[]> {
  const parameters = new Parameters();
  const conditions = [page.condition(parameters)];
  if (search !== undefined) conditions.push(pathContainsCondition(['path'], search, parameters));
  return sql.query<NotFoundEntryResponse>(
    `SELECT id, path, referrer, user_agent AS "userAgent", ip, created_at AS "createdAt" FROM not_found_log
     WHERE ${conditions.join(' AND ')} ${page.order(parameters)}`,
    parameters.values,
  );
}

/** The paths that were missed most often. */
export function selectMostFrequent(sql: Queryable, limit: number): Promise<SummaryRow[]> {
  return sql.query<SummaryRow>(
    `SELECT path, count, last_seen_at AS "lastSeen", referrers FROM not_found_log
     ORDER BY count DESC, last_seen_at DESC, id DESC LIMIT $1`,
    [limit],
  );
}

/** Writers of one site's log take turns: rows locked in different orders would end one of them as a deadlock. */
function withLogLock<Result>(
  { db, tenantId }: Target,
  write: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`not-found-log:${tenantId}`]);
    return write(tx);
  });
}
