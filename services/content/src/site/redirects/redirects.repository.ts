import { hasSqlState, Parameters, sqlState, type KeysetPage, type Queryable } from '@quire/database';
import type { Transaction, TransactionalDatabase } from '@quire/database';
import { QuireError } from '@quire/errors';
import { pathContainsCondition } from '../path-search.js';
import type { RedirectResponse } from './redirects.schemas.js';
import { lookupOf, type Rule } from './rules.js';
import type { RequestedPath } from './url-path.js';

const responseColumns = `id, source, destination, type, prefix IS NOT NULL AS "isPattern", enabled, hits,
  last_hit_at AS "lastHitAt", group_name AS "groupName", auto, created_at AS "createdAt", updated_at AS "updatedAt"`;
const ruleColumns = 'id, source, source_key AS "sourceKey", prefix, destination, type';

/** A rule as it is written. */
export interface RedirectRow extends Rule {
  enabled: boolean;
  groupName: string | null;
  /** Made by Quire, see `SlugRedirects`. */
  auto?: boolean;
}

export interface RedirectFilters {
  search?: string | undefined;
  group?: string | undefined;
  enabled?: boolean | undefined;
  auto?: boolean | undefined;
}

/**
 * Runs a write of rules while no other writer of the site's rules runs: a loop is closed by two rules that each look
 * harmless to a writer who does not see the other.
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

/** Waits for the turn to write rules, and keeps it until the transaction ends. */
export async function acquireRuleLock(tx: Queryable, tenantId: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [ruleLockKey(tenantId)]);
}

/**
 * Waits for whoever has the turn, and keeps others from it until the transaction ends: for those who delete rules only,
 * any number of them at a time.
 */
export async function acquireSharedRuleLock(tx: Queryable, tenantId: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [ruleLockKey(tenantId)]);
}

const ruleLockKey = (tenantId: string) => `redirects:${tenantId}`;

/** The enabled rules that may answer a path. */
export function selectMatchingRules(sql: Queryable, requested: RequestedPath): Promise<Rule[]> {
  const { keys, prefixes } = lookupOf(requested);
  return sql.query<Rule>({
    text: `SELECT ${ruleColumns} FROM redirects WHERE enabled AND (source_key = ANY($1) OR prefix = ANY($2))`,
    values: [keys, prefixes],
    prepared: true,
  });
}

/** All enabled rules. */
export function selectRules(sql: Queryable): Promise<Rule[]> {
  return sql.query<Rule>(`SELECT ${ruleColumns} FROM redirects WHERE enabled`);
}

export async function selectRedirect(sql: Queryable, id: string): Promise<RedirectResponse | undefined> {
  const rows = await sql.query<RedirectResponse>(`SELECT ${responseColumns} FROM redirects WHERE id = $1`, [
    id,
  ]);
  return rows[0];
}

/** Lists go by creation, newest first. */
export const redirectOrder = {
  column: 'created_at',
  idColumn: 'id',
  direction: 'desc',
  cast: 'timestamptz',
  neverNull: true,
} as const;

/** The rows of a page of rules that match the filters. */
export function selectRedirects(
  sql: Queryable,
  { search, group, enabled, auto }: RedirectFilters,
  page: KeysetPage,
): Promise<RedirectResponse[]> {
  const parameters = new Parameters();
  const addParam = (value: unknown, cast?: string) => parameters.add(value, cast);
  const conditions = [page.condition(parameters)];
  if (search !== undefined)
    conditions.push(pathContainsCondition(['source', 'destination'], search, parameters));
  if (group !== undefined) conditions.push(`coalesce(group_name, '') = ${addParam(group)}`);
  if (enabled !== undefined) conditions.push(`enabled = ${addParam(enabled)}`);
  if (auto !== undefined) conditions.push(`auto = ${addParam(auto)}`);
  return sql.query<RedirectResponse>(
    `SELECT ${responseColumns} FROM redirects WHERE ${conditions.join(' AND ')} ${page.order(parameters)}`,
    parameters.values,
  );
}

export async function insertRedirect(tx: Queryable, row: RedirectRow): Promise<RedirectResponse> {
  const [stored] = await tx.query<RedirectResponse>(
    `INSERT INTO redirects (id, source, source_key, prefix, destination, type, enabled, group_name, auto)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${responseColumns}`,
    [...valuesOf(row), row.auto ?? false],
  );
  if (!stored) throw new Error('INSERT of a redirect returned no row');
  return stored;
}

/** Undefined when somebody deleted the rule meanwhile. */
export async function updateRedirectRow(
  tx: Queryable,
  row: RedirectRow,
): Promise<RedirectResponse | undefined> {
  const [stored] = await tx.query<RedirectResponse>(
    `UPDATE redirects SET source = $2, source_key = $3, prefix = $4, destination = $5, type = $6, enabled = $7,
       group_name = $8, updated_at = now()
     WHERE id = $1 RETURNING ${responseColumns}`,
    valuesOf(row),
  );
  return stored;
}

export async function deleteRedirectRow(sql: Queryable, id: string): Promise<boolean> {
  const removed = await sql.query('DELETE FROM redirects WHERE id = $1 RETURNING id', [id]);
  return removed.length > 0;
}

function valuesOf({ id, source, sourceKey, prefix, destination, type, enabled, groupName }: RedirectRow) {
  return [id, source, sourceKey, prefix, destination, type, enabled, groupName];
}
