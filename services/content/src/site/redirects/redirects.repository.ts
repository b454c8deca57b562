import { prefixesOf, type RequestedPath } from '@quire/content-model';
import {
  assignmentsOf,
  columnsOf,
  hasSqlState,
  identifier,
  insertRow,
  Parameters,
  sqlState,
  type KeysetPage,
  type Queryable,
  type Row,
  type Transaction,
  type TransactionalDatabase,
} from '@quire/database';
import { QuireError } from '@quire/errors';
import { pathContainsCondition } from '../path-search.js';
import { Redirect } from './redirect.entity.js';
import { lookupOf, ruleProperties, type PatternKey, type Rule } from './rules.js';

export type StoredRedirect = Row<Redirect>;
type RedirectRow = Rule & Pick<StoredRedirect, 'enabled' | 'groupName'>;

const columns = columnsOf(Redirect);
const ruleColumns = columnsOf(Redirect, { only: ruleProperties });
/** Of `redirects r`. */
const patternColumns = columnsOf(Redirect, { of: 'r', only: ruleProperties });
const withoutLastPlaceholders = `regexp_replace(r.source_key, '(/\\[(\\.\\.\\.)?\\])+$', '')`;

export interface RedirectFilters {
  search?: string | undefined;
  group?: string | undefined;
  enabled?: boolean | undefined;
  auto?: boolean | undefined;
}

/**
 * Runs a write of rules while no other writer of the site's rules runs: concurrent writers could together close a loop
 * that neither sees.
 * @throws QuireError CONFLICT when the source has a rule already.
 */
export async function withRuleLock<Result>(
  { db, tenantId }: { db: TransactionalDatabase; tenantId: string },
  write: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction(async (tx) => {
      await acquireRuleLock(tx, tenantId);
      return write(tx);
    });
  } catch (error) {
    if (!hasSqlState(error, sqlState.uniqueViolation) || error.constraint !== 'redirects_source_key')
      throw error;
    throw new QuireError('CONFLICT', 'source: already used by another redirect', { cause: error });
  }
}

/** Locks the site's rules for one writer until the transaction ends. */
export async function acquireRuleLock(tx: Queryable, tenantId: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [ruleLockKey(tenantId)]);
}

/** Excludes `acquireRuleLock` until the transaction ends; transactions that only delete rules run concurrently. */
export async function acquireSharedRuleLock(tx: Queryable, tenantId: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [ruleLockKey(tenantId)]);
}

const ruleLockKey = (tenantId: string) => `redirects:${tenantId}`;

/**
 * Of a pattern, the last text behind its first placeholder, after its position; "" without one. The expression of the
 * index `redirects_pattern`: migration 0066.
 */
const lastTextOfPattern = `CASE WHEN strpos(${withoutLastPlaceholders}, '/[]') = 0 THEN ''
  ELSE (length(${withoutLastPlaceholders}) - length(replace(${withoutLastPlaceholders}, '/', '')))::text || '/'
    || substring(${withoutLastPlaceholders} from '[^/]*$') END`;

/**
 * @returns the enabled rules that may match a path: those of single paths, or without one the patterns, of which one
 *   may match.
 */
export function selectMatchingRules(sql: Queryable, requested: RequestedPath): Promise<Rule[]> {
  const { keys, patterns } = lookupOf(requested);
  return sql.query<Rule>({
    text: `WITH paths AS MATERIALIZED (SELECT ${ruleColumns} FROM redirects WHERE enabled AND source_key = ANY($1))
      SELECT * FROM paths
      UNION ALL
      SELECT ${patternColumns} ${fromPatterns('$2', '$3')} AND NOT EXISTS (SELECT FROM paths)`,
    values: [keys, ...columnsOfKeys(patterns)],
    prepared: true,
  });
}

/** @returns the enabled rules that may match one of the paths. */
export function selectRulesOfPaths(sql: Queryable, paths: readonly RequestedPath[]): Promise<Rule[]> {
  const lookups = paths.map(lookupOf);
  const patterns = lookups.flatMap((lookup) =>
    lookup.patterns.map((key) => [`${key.prefix} ${key.lastText}`, key] as const),
  );
  return sql.query<Rule>(
    `SELECT ${ruleColumns} FROM redirects WHERE enabled AND source_key = ANY($1)
     UNION ALL
     SELECT ${patternColumns} ${fromPatterns('$2', '$3')}`,
    [lookups.flatMap(({ keys }) => keys), ...columnsOfKeys([...new Map(patterns).values()])],
  );
}

const fromPatterns = (prefixes: string, lastTexts: string) =>
  `FROM unnest(${prefixes}::text[], ${lastTexts}::text[]) wanted (prefix, last_text)
   JOIN redirects r ON r.prefix = wanted.prefix AND ${lastTextOfPattern} = wanted.last_text WHERE r.enabled`;

const columnsOfKeys = (keys: readonly PatternKey[]) => [
  keys.map(({ prefix }) => prefix),
  keys.map((key) => key.lastText),
];

/**
 * @param options.starts of normalised paths
 * @param options.limit of the rules that each of two indexes gives
 * @returns the enabled rules that may match a path with one of the starts; some may be there twice
 */
export function selectRulesOfStarts(
  sql: Queryable,
  { starts, onlyPatterns, limit }: { starts: readonly string[]; onlyPatterns: boolean; limit: number },
): Promise<Rule[]> {
  const prefixes = [...new Set(starts.flatMap(prefixesOf))];
  // Sorts after every character that can follow a start.
  const behind = `wanted.start || '\u{10FFFF}'`;
  return sql.query<Rule>(
    `(SELECT ${patternColumns} FROM redirects r WHERE r.enabled AND r.prefix = ANY($2) LIMIT $3)
     UNION ALL
     (SELECT ${patternColumns} FROM unnest($1::text[]) wanted (start)
      JOIN redirects r ON r.source_key COLLATE "C" >= wanted.start AND r.source_key COLLATE "C" < ${behind}
      WHERE r.enabled ${onlyPatterns ? 'AND r.prefix IS NOT NULL' : ''} LIMIT $3)`,
    [starts, prefixes, limit],
  );
}

/** @returns all enabled rules. */
export function selectRules(sql: Queryable): Promise<Rule[]> {
  return sql.query<Rule>(`SELECT ${ruleColumns} FROM redirects WHERE enabled`);
}

export async function selectRedirect(sql: Queryable, id: string): Promise<StoredRedirect | undefined> {
  const [redirect] = await sql.query<StoredRedirect>(`SELECT ${columns} FROM redirects WHERE id = $1`, [id]);
  return redirect;
}

/** Lists are ordered by creation, newest first. */
export const redirectOrder = {
  column: 'created_at',
  idColumn: 'id',
  direction: 'desc',
  cast: 'timestamptz',
  neverNull: true,
} as const;

/** @returns the rows of one page. */
export function selectRedirects(
  sql: Queryable,
  { search, group, enabled, auto }: RedirectFilters,
  page: KeysetPage,
): Promise<StoredRedirect[]> {
  const parameters = new Parameters();
  const addParam = (value: unknown, cast?: string) => parameters.add(value, cast);
  const conditions = [page.condition(parameters)];
  if (search !== undefined)
    conditions.push(pathContainsCondition(['source', 'destination'], search, parameters));
  if (group !== undefined) conditions.push(`coalesce(group_name, '') = ${addParam(group)}`);
  if (enabled !== undefined) conditions.push(`enabled = ${addParam(enabled)}`);
  if (auto !== undefined) conditions.push(`auto = ${addParam(auto)}`);
  return sql.query<StoredRedirect>(
    `SELECT ${columns} FROM redirects WHERE ${conditions.join(' AND ')} ${page.order(parameters)}`,
    parameters.values,
  );
}

export function insertRedirect(
  tx: Queryable,
  redirect: RedirectRow & Partial<Pick<StoredRedirect, 'auto'>>,
): Promise<StoredRedirect> {
  return insertRow(tx, Redirect, redirect);
}

/** @returns undefined when there is no such rule. */
export async function updateRedirectRow(
  tx: Queryable,
  { id, ...update }: RedirectRow,
): Promise<StoredRedirect | undefined> {
  const params = new Parameters();
  const assignments = [...assignmentsOf(Redirect, update, params), 'updated_at = now()'];
  const [redirect] = await tx.query<StoredRedirect>(
    `UPDATE redirects SET ${assignments.join(', ')} WHERE id = ${params.add(id)} RETURNING ${columns}`,
    params.values,
  );
  return redirect;
}

/** @returns whether a row was deleted. */
export async function deleteRedirectRow(sql: Queryable, id: string): Promise<boolean> {
  const deleted = await sql.query('DELETE FROM redirects WHERE id = $1 RETURNING id', [id]);
  return deleted.length > 0;
}

/** Deletes the automatic rules of these sources. */
export async function deleteAutoRedirectsFrom(tx: Queryable, sourceKeys: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM redirects WHERE auto AND source_key = ANY($1)', [sourceKeys]);
}

/** Deletes the automatic rules to a destination among these ids. @returns their number. */
export async function deleteAutoRedirects(
  tx: Queryable,
  { destination, ids }: { destination: string; ids: readonly string[] },
): Promise<number> {
  const deleted = await tx.query(
    'DELETE FROM redirects WHERE auto AND destination = $1 AND id = ANY($2) RETURNING id',
    [destination, ids],
  );
  return deleted.length;
}

/** Changes the destination of all automatic rules that lead to `from`. */
export async function updateAutoDestinations(
  tx: Queryable,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await tx.query(
    'UPDATE redirects SET destination = $2, updated_at = now() WHERE auto AND destination = $1',
    [from, to],
  );
}

/** Whether a rule, enabled or not, has this source. */
export async function isRedirectSource(tx: Queryable, sourceKey: string): Promise<boolean> {
  const rules = await tx.query('SELECT 1 FROM redirects WHERE source_key = $1', [sourceKey]);
  return rules.length > 0;
}

/** Whether a live entry of the collection other than this one has the slug, in any locale. */
export async function isSlugOfOtherLiveEntry(
  tx: Queryable,
  { table }: { table: string },
  { id, slug }: { id: string; slug: string },
): Promise<boolean> {
  const found = await tx.query(
    `SELECT 1 FROM ${identifier(table)}
     WHERE slug = $1 AND status = 'published' AND deleted_at IS NULL AND id <> $2 LIMIT 1`,
    [slug, id],
  );
  return found.length > 0;
}

/** Hits of a rule since its last write. */
export interface RedirectHits {
  count: number;
  lastAt: string;
}

/** Adds hits to rules, by id. */
export async function addHits(sql: Queryable, hits: ReadonlyMap<string, RedirectHits>): Promise<void> {
  const values = [...hits.values()];
  // Rows are locked in the order of their ids: two processes that count the same rules cannot deadlock.
  await sql.query(
    `WITH counted AS (
       SELECT * FROM unnest($1::text[], $2::bigint[], $3::timestamptz[]) AS counted (id, count, last_at)
     ), locked AS (
       SELECT id FROM redirects WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE
     )
     UPDATE redirects r SET hits = r.hits + counted.count, last_hit_at = greatest(r.last_hit_at, counted.last_at)
     FROM locked JOIN counted USING (id) WHERE r.id = locked.id`,
    [[...hits.keys()], values.map(({ count }) => count), values.map(({ lastAt }) => lastAt)],
  );
}
