import {
  assignmentsOf,
  columnsOf,
  hasSqlState,
  insertRow,
  Parameters,
  sqlState,
  type KeysetPage,
  type Queryable,
  type Row,
  type RowInput,
} from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import { ulid } from '@quire/values';
import { sameLocale } from '../locales/index.js';
import { beginDeletion } from '../deletions/index.js';
import { Byline, BylineGroup, type CustomValues } from './byline.entity.js';
import { bylineJson, type BylineSummary } from './credits/index.js';
import { deleteCredits } from './delete-credits.repository.js';
import type { CustomFieldValues } from './custom-fields.policy.js';

const bylines = 'bylines b JOIN byline_groups g ON g.id = b.translation_group';

interface SummaryRow {
  byline: BylineSummary;
}

export interface BylineFilters {
  search?: string | undefined;
  isGuest?: boolean | undefined;
  userId?: string | undefined;
  locale?: string | undefined;
}

/** Lists are ordered by creation, newest first. */
export const bylineOrder = {
  column: 'b.created_at',
  idColumn: 'b.id',
  direction: 'desc',
  cast: 'timestamptz',
  neverNull: true,
} as const;

/** @returns the rows of one page of the bylines that match the filters. */
export async function selectBylines(
  sql: Queryable,
  { search, isGuest, userId, locale }: BylineFilters,
  page: KeysetPage,
): Promise<BylineSummary[]> {
  const params = new Parameters();
  const conditions = [page.condition(params)];
  if (search) {
    const text = params.add(search, 'text');
    conditions.push(
      `(strpos(lower(b.display_name), lower(${text})) > 0 OR strpos(b.slug, lower(${text})) > 0)`,
    );
  }
  if (isGuest !== undefined) conditions.push(`b.is_guest = ${params.add(isGuest)}`);
  if (userId !== undefined) conditions.push(`b.user_id = ${params.add(userId)}`);
  if (locale !== undefined) conditions.push(sameLocale('b.locale', params.add(locale)));
  const rows = await sql.query<SummaryRow>(
    `SELECT ${bylineJson} AS byline FROM ${bylines} WHERE ${conditions.join(' AND ')} ${page.order(params)}`,
    params.values,
  );
  return rows.map(({ byline }) => byline);
}

/** @throws QuireError NOT_FOUND */
export async function selectByline(sql: Queryable, id: string): Promise<BylineSummary> {
  const [row] = await sql.query<SummaryRow>(
    `SELECT ${bylineJson} AS byline FROM ${bylines} WHERE b.id = $1`,
    [id],
  );
  if (!row) throw notFound('byline');
  return row.byline;
}

/** @param id of a group, or of one of its bylines. @returns the bylines of the group by locale. */
export async function selectBylinesOfGroup(sql: Queryable, id: string): Promise<BylineSummary[]> {
  const rows = await sql.query<SummaryRow>(
    `SELECT ${bylineJson} AS byline FROM ${bylines}
     WHERE b.translation_group IN (SELECT translation_group FROM bylines WHERE id = $1 OR translation_group = $1)
     ORDER BY b.locale COLLATE "C"`,
    [id],
  );
  return rows.map(({ byline }) => byline);
}

/** A byline whose group is locked: no other transaction changes it, its translations or their shared values. */
export type LockedByline = Row<Byline> & { sharedFields: CustomValues };

const lockedColumns = `${columnsOf(Byline, { of: 'b' })}, g.custom_fields AS "sharedFields"`;

/**
 * Locks the group of a byline until the transaction ends, then reads the byline. One statement for both would wait for
 * the lock and return the byline as it was before.
 * @param mode FOR NO KEY UPDATE for a change: entries can still credit the byline. FOR UPDATE for a deletion: they
 *   cannot.
 * @throws QuireError NOT_FOUND
 */
export async function lockByline(
  tx: Queryable,
  id: string,
  mode: 'FOR NO KEY UPDATE' | 'FOR UPDATE',
): Promise<LockedByline> {
  await tx.query(
    `SELECT 1 FROM byline_groups WHERE id = (SELECT translation_group FROM bylines WHERE id = $1) ${mode}`,
    [id],
  );
  const [locked] = await tx.query<LockedByline>(`SELECT ${lockedColumns} FROM ${bylines} WHERE b.id = $1`, [
    id,
  ]);
  if (!locked) throw notFound('byline');
  return locked;
}

/**
 * Locks the group of the byline that a translation is created from.
 * @param id of that byline, or of a group: its byline in the default locale, else in the lowest locale code
 * @throws QuireError NOT_FOUND
 */
export async function lockTranslationSource(
  tx: Queryable,
  id: string,
  defaultLocale: string,
): Promise<LockedByline> {
  const [source] = await tx.query<{ id: string }>(
    `SELECT id FROM bylines WHERE id = $1 OR translation_group = $1
     ORDER BY (id = $1) DESC, (locale = $2) DESC, locale COLLATE "C" LIMIT 1`,
    [id, defaultLocale],
  );
  if (!source) throw notFound('byline');
  return lockByline(tx, source.id, 'FOR NO KEY UPDATE');
}

/**
 * Waits until no other transaction links a byline to one of the users under this lock. It is taken last, after the lock
 * of a group: the two cannot deadlock.
 */
export async function lockUserLinks(
  tx: Queryable,
  tenantId: string,
  userIds: readonly string[],
): Promise<void> {
  await tx.query(
    `SELECT pg_advisory_xact_lock(hashtextextended(key, 0))
     FROM (SELECT 'byline:' || $1::text || ':' || id AS key FROM unnest($2::text[]) AS id ORDER BY id) locks`,
    [tenantId, userIds],
  );
}

/**
 * Takes the lock of `lockUserLinks`.
 * @returns whether a byline of the locale is linked to the user, `except` this one.
 */
export async function isUserLinked(
  tx: Queryable,
  { tenantId, userId, locale }: { tenantId: string; userId: string; locale: string },
  except: string | null,
): Promise<boolean> {
  await lockUserLinks(tx, tenantId, [userId]);
  const linked = await tx.query(
    `SELECT 1 FROM bylines WHERE user_id = $1 AND ${sameLocale('locale', '$2')} AND id IS DISTINCT FROM $3 LIMIT 1`,
    [userId, locale, except],
  );
  return linked.length > 0;
}

/** @param group a locked group that the byline joins; without one it gets a group of its own. */
export async function insertByline(
  tx: Queryable,
  byline: Omit<RowInput<Byline>, 'id' | 'translationGroup' | 'customFields'>,
  { own, shared }: CustomFieldValues,
  group?: string,
): Promise<BylineSummary> {
  const id = ulid();
  if (group === undefined) await insertRow(tx, BylineGroup, { id, customFields: shared });
  else await updateSharedFields(tx, group, shared);
  await insertRow(tx, Byline, { ...byline, id, translationGroup: group ?? id, customFields: own });
  return selectByline(tx, id);
}

/** Updates the values that the bylines of a group share. */
export async function updateSharedFields(
  tx: Queryable,
  group: string,
  customFields: CustomValues,
): Promise<void> {
  const params = new Parameters();
  const assignments = assignmentsOf(BylineGroup, { customFields }, params);
  await tx.query(
    `UPDATE byline_groups SET ${assignments.join(', ')} WHERE id = ${params.add(group)}`,
    params.values,
  );
}

/** Updates the given columns; null clears one. */
export async function updateBylineRow(tx: Queryable, id: string, update: RowInput<Byline>): Promise<void> {
  const params = new Parameters();
  const assignments = [...assignmentsOf(Byline, update, params), 'updated_at = now()'];
  await tx.query(`UPDATE bylines SET ${assignments.join(', ')} WHERE id = ${params.add(id)}`, params.values);
}

/** Deletes a byline, and with the last one of its group the group and its credits. @throws QuireError NOT_FOUND */
export async function deleteBylineWithCredits(tx: Queryable, tenantId: string, id: string): Promise<void> {
  const { translationGroup: group } = await lockByline(tx, id, 'FOR UPDATE');
  await tx.query('DELETE FROM bylines WHERE id = $1', [id]);
  const others = await tx.query('SELECT 1 FROM bylines WHERE translation_group = $1 LIMIT 1', [group]);
  if (others.length > 0) return;
  await beginDeletion(tx, tenantId, { kind: 'byline', id: group }, deleteCredits);
}

/** @returns the API's error for a violated unique index, and any other error as it is. */
export function toBylineConflictError(error: unknown): unknown {
  if (!hasSqlState(error, sqlState.uniqueViolation)) return error;
  const message =
    error.constraint === 'bylines_translation_group_locale'
      ? 'The byline already has a translation in this locale'
      : 'slug: already used by another byline of this locale';
  return new QuireError('CONFLICT', message, { cause: error });
}
