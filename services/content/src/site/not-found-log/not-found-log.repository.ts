import {
  columnsOf,
  Parameters,
  type KeysetPage,
  type Queryable,
  type Row,
  type Transaction,
  type TransactionalDatabase,
} from '@quire/database';
import { ulid } from '@quire/values';
import { pathContainsCondition } from '../path-search.js';
import { mergeReferrers, type NotFoundHits } from './not-found-hits.js';
import { NotFoundEntry } from './not-found.entity.js';

/** The log drops the paths seen least recently (contract 23). */
const maxEntries = 10_000;

interface Target {
  db: TransactionalDatabase;
  tenantId: string;
}

const listedProperties = ['id', 'path', 'referrer', 'userAgent', 'ip', 'createdAt'] as const;
const summaryProperties = ['path', 'count', 'lastSeenAt', 'referrers'] as const;

/** Adds hits to the log, by path, and deletes the oldest paths beyond its limit. */
export function upsertHits(target: Target, hits: ReadonlyMap<string, NotFoundHits>): Promise<void> {
  return withLogLock(target, async (tx) => {
    const known = await tx.query<{ path: string; referrers: Record<string, number> }>(
      'SELECT path, referrers FROM not_found_log WHERE path = ANY($1)',
      [[...hits.keys()]],
    );
    const storedReferrers = new Map(
      known.map(({ path, referrers }) => [path, new Map(Object.entries(referrers))]),
    );
    await upsert(
      tx,
      [...hits].map(([path, added]) => ({
        path,
        ...added,
        referrers: mergeReferrers(storedReferrers.get(path) ?? new Map<string, number>(), added.referrers),
      })),
    );
    if (known.length < hits.size) await deleteOldest(tx);
  });
}

async function upsert(tx: Queryable, rows: readonly (NotFoundHits & { path: string })[]): Promise<void> {
  const column = (valueOf: (row: NotFoundHits & { path: string }) => unknown) => rows.map(valueOf);
  await tx.query(
    `INSERT INTO not_found_log AS log
       (id, path, count, referrer, user_agent, ip, referrers, created_at, last_seen_at)
     SELECT id, path, count, referrer, user_agent, ip, referrers::json, created_at, last_seen_at
     FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[],
       $8::timestamptz[], $9::timestamptz[])
       AS given (id, path, count, referrer, user_agent, ip, referrers, created_at, last_seen_at)
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

/** Deletes the paths last seen before an instant, or all. @returns their number. */
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

/** Lists are ordered by the first visit, newest first. */
export const logOrder = {
  column: 'created_at',
  idColumn: 'id',
  direction: 'desc',
  cast: 'timestamptz',
  neverNull: true,
} as const;

/** @returns the rows of one page; `search` looks for the text as submitted or as browsers escape it. */
export function selectEntries(
  sql: Queryable,
  search: string | undefined,
  page: KeysetPage,
): Promise<Pick<Row<NotFoundEntry>, (typeof listedProperties)[number]>[]> {
  const params = new Parameters();
  const conditions = [page.condition(params)];
  if (search !== undefined) conditions.push(pathContainsCondition(['path'], search, params));
  return sql.query(
    `SELECT ${columnsOf(NotFoundEntry, { only: listedProperties })} FROM not_found_log
     WHERE ${conditions.join(' AND ')} ${page.order(params)}`,
    params.values,
  );
}

/** @returns the paths missed most often. */
export function selectMostFrequent(
  sql: Queryable,
  limit: number,
): Promise<Pick<Row<NotFoundEntry>, (typeof summaryProperties)[number]>[]> {
  return sql.query(
    `SELECT ${columnsOf(NotFoundEntry, { only: summaryProperties })} FROM not_found_log
     ORDER BY count DESC, last_seen_at DESC, id DESC LIMIT $1`,
    [limit],
  );
}

/** Serialises the writers of a site's log: rows locked in different orders could deadlock. */
function withLogLock<Result>(
  { db, tenantId }: Target,
  write: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`not-found-log:${tenantId}`]);
    return write(tx);
  });
}
