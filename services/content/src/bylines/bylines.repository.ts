import { hasSqlState, Parameters, sqlState, type KeysetPage, type Queryable } from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import { bylineJson, type BylineSummary } from './credits/index.js';
import { sameLocale } from '../locales/index.js';
import type { CustomValues } from './byline-group.entity.js';

const bylines = 'bylines b JOIN byline_groups g ON g.id = b.translation_group';

interface Listed {
  byline: BylineSummary;
}

export interface BylineFilters {
  search?: string | undefined;
  isGuest?: boolean | undefined;
  userId?: string | undefined;
  locale?: string | undefined;
}

/** Lists go by creation, newest first. */
export const bylineOrder = {
  column: 'b.created_at',
  idColumn: 'b.id',
  direction: 'desc',
  cast: 'timestamptz',
  neverNull: true,
} as const;

/** The rows of a page of bylines that match the filters. */
export async function selectBylines(
  sql: Queryable,
  { search, isGuest, userId, locale }: BylineFilters,
  page: KeysetPage,
): Promise<BylineSummary[]> {
  const parameters = new Parameters();
  const addParam = (value: unknown, cast?: string) => parameters.add(value, cast);
  const conditions = [page.condition(parameters)];
  if (search) {
    const text = addParam(search, 'text');
    conditions.push(
      `(strpos(lower(b.display_name), lower(${text})) > 0 OR strpos(b.slug, lower(${text})) > 0)`,
    );
  }
  if (isGuest !== undefined) conditions.push(`b.is_guest = ${addParam(isGuest)}`);
  if (userId !== undefined) conditions.push(`b.user_id = ${addParam(userId)}`);
  if (locale !== undefined) conditions.push(sameLocale('b.locale', addParam(locale)));
  const rows = await sql.query<Listed>(
    `SELECT ${bylineJson} AS byline FROM ${bylines} WHERE ${conditions.join(' AND ')}
     ${page.order(parameters)}`,
    parameters.values,
  );
  return rows.map(({ byline }) => byline);
}

/** @throws QuireError NOT_FOUND */
export async function selectByline(sql: Queryable, id: string): Promise<BylineSummary> {
  const [row] = await sql.query<Listed>(`SELECT ${bylineJson} AS byline FROM ${bylines} WHERE b.id = $1`, [
    id,
  ]);
  if (!row) throw notFound('byline');
  return row.byline;
}

/** The bylines of a group, which its id or that of one of them names, by locale. */
export async function selectBylinesOfGroup(sql: Queryable, id: string): Promise<BylineSummary[]> {
  const rows = await sql.query<Listed>(
    `SELECT ${bylineJson} AS byline FROM ${bylines}
     WHERE b.translation_group IN (SELECT translation_group FROM bylines WHERE id = $1 OR translation_group = $1)
     ORDER BY b.locale COLLATE "C"`,
    [id],
  );
  return rows.map(({ byline }) => byline);
}

/** A byline whose group is locked: nobody else changes it, its translations or what they share. */
export interface LockedByline {
  id: string;
  locale: string;
  slug: string;
  displayName: string;
  avatarMediaId: string | null;
  websiteUrl: string | null;
  isGuest: boolean;
  translationGroup: string;
  customFields: CustomValues;
  sharedFields: CustomValues;
}

const lockedColumns = `b.id, b.locale, b.slug, b.display_name AS "displayName", b.avatar_media_id AS "avatarMediaId",
  b.website_url AS "websiteUrl", b.is_guest AS "isGuest", b.translation_group AS "translationGroup",
  b.custom_fields AS "customFields", g.custom_fields AS "sharedFields"`;

/**
 * A byline by its id, its group locked until the transaction ends. It is read by a statement of its own: one that waits
 * for the group and reads at once would see the byline as it was before. A group is locked for a change so that entries
 * may still credit it, and for its removal so that none can.
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
 * The byline that a translation is made from, its group locked. The id of a group means its byline in the default
 * locale, else in that of the lowest code.
 * @throws QuireError NOT_FOUND
 */
export async function lockSource(tx: Queryable, id: string, defaultLocale: string): Promise<LockedByline> {
  const [named] = await tx.query<{ id: string }>(
    `SELECT id FROM bylines WHERE id = $1 OR translation_group = $1
     ORDER BY (id = $1) DESC, (locale = $2) DESC, locale COLLATE "C" LIMIT 1`,
    [id, defaultLocale],
  );
  if (!named) throw notFound('byline');
  return lockByline(tx, named.id, 'FOR NO KEY UPDATE');
}

/** A violated rule of the table in the words of the API. */
export function toBylineConflictError(error: unknown): unknown {
  if (!hasSqlState(error, sqlState.uniqueViolation)) return error;
  const message =
    error.constraint === 'bylines_translation_group_locale'
      ? 'The byline already has a translation in this locale'
      : 'slug: already used by another byline of this locale';
  return new QuireError('CONFLICT', message, { cause: error });
}
