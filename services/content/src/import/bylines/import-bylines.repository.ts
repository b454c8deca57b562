import { insertRows, type Queryable } from '@quire/database';
import { Byline, BylineGroup } from '../../bylines/index.js';

/** A byline to create, under the id of its group. */
export interface NewByline {
  id: string;
  slug: string;
  displayName: string;
  userId: string | null;
  locale: string;
}

/** @returns those of the ids that are bylines. */
export async function selectExistingBylines(sql: Queryable, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await sql.query<{ id: string }>('SELECT id FROM bylines WHERE id = ANY($1)', [ids]);
  return new Set(rows.map(({ id }) => id));
}

/**
 * @param locales in the order of preference
 * @returns the byline of each user that has one in the locales, the oldest of several, by user.
 */
export async function selectBylinesOfUsers(
  sql: Queryable,
  userIds: readonly string[],
  locales: readonly string[],
): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await sql.query<{ userId: string; id: string }>(
    `SELECT DISTINCT ON (user_id) user_id AS "userId", id FROM bylines
     WHERE user_id = ANY($1) AND locale = ANY($2) ORDER BY user_id, array_position($2::text[], locale), id`,
    [userIds, locales],
  );
  return new Map(rows.map(({ userId, id }) => [userId, id]));
}

/** @returns the slugs of a locale that are one of the bases, or one with a suffix. */
export async function selectTakenSlugs(
  sql: Queryable,
  locale: string,
  bases: readonly string[],
): Promise<Set<string>> {
  const rows = await sql.query<{ slug: string }>(
    `SELECT b.slug FROM unnest($2::text[]) AS base JOIN bylines b
       ON b.locale = $1 AND (b.slug = base OR starts_with(b.slug, base || '-'))`,
    [locale, bases],
  );
  return new Set(rows.map(({ slug }) => slug));
}

/** Creates bylines, each in a group of its own, with two statements. */
export async function insertBylines(sql: Queryable, bylines: readonly NewByline[]): Promise<void> {
  await insertRows(
    sql,
    BylineGroup,
    bylines.map(({ id }) => ({ id, customFields: {} })),
  );
  await insertRows(
    sql,
    Byline,
    bylines.map((byline) => ({
      ...byline,
      isGuest: byline.userId === null,
      translationGroup: byline.id,
      customFields: {},
    })),
  );
}
