import { identifier, literal, type Queryable } from '@quire/database';
import { isChanged, isLive, overdue } from '../../entries/index.js';
import { latestOfStatuses } from '../../schema/index.js';
import type { VisibleCollection } from '../dashboard/index.js';
import type { HomeEntry, HomeList } from './panel-home.schemas.js';

/** Entries of each list. */
const listLength = 8;
/** Of each status in each collection, so many entries that were edited last are looked through for the caller's. */
const maxLookedThrough = 100;
/** Titles may be texts of any length. */
const titleCharacters = 200;

const newestFirst = '_edited_at DESC NULLS LAST, id DESC';
const bySchedule = 'scheduled_at, id';

/** SQL of the entries of a list in one table: the first ones of a range of an index. */
type SelectEntries = (table: string, userId: string) => string;

const lastEdited = (table: string, limit: number) => latestOfStatuses(table, '_edited_at', { limit });
const firstScheduled = (table: string, condition: string) =>
  `SELECT * FROM ${identifier(table)} e WHERE ${isLive} AND ${condition} ORDER BY e.scheduled_at, e.id LIMIT ${listLength}`;

const lists: Readonly<Record<HomeList, { select: SelectEntries; order: string }>> = {
  mine: {
    select: (table, userId) =>
      `SELECT * FROM (${lastEdited(table, maxLookedThrough)}) m WHERE _edited_by = ${userId}`,
    order: newestFirst,
  },
  recent: { select: (table) => lastEdited(table, listLength), order: newestFirst },
  upcoming: {
    select: (table) =>
      firstScheduled(table, `NOT ${overdue} AND e.scheduled_at < now() + interval '14 days'`),
    order: bySchedule,
  },
  overdue: { select: (table) => firstScheduled(table, overdue), order: bySchedule },
};

/** @returns the first entries of a list across collections; each part is a range of an index. */
export async function selectHomeEntries(
  sql: Queryable,
  collections: readonly VisibleCollection[],
  name: HomeList,
  userId: string | null,
): Promise<HomeEntry[]> {
  if (collections.length === 0) return [];
  const { select, order } = lists[name];
  // No user has an empty id.
  const user = literal(userId ?? '');
  const selects = collections.map(({ slug, table, titleColumn }) => {
    const live = titleColumn === null ? 'NULL' : `e.${identifier(titleColumn)}::text`;
    return `SELECT e.id, ${literal(slug)} AS collection, nullif(left(CASE WHEN d.id IS NULL THEN ${live} ELSE d.title END,
        ${titleCharacters}), '') AS title, e.slug, e.status, e._locale AS locale, ${isChanged('e')} AS "isChanged",
        coalesce(${overdue}, false) AS "isOverdue", coalesce(e._edited_at, e.updated_at) AS "editedAt",
        e.published_at AS "publishedAt", e.scheduled_at AS "scheduledAt", e._edited_at, e.scheduled_at
      FROM (${select(table, user)}) e LEFT JOIN revisions d ON d.id = e.draft_revision_id`;
  });
  const rows = await sql.query<HomeEntry & Record<'_edited_at' | 'scheduled_at', unknown>>(
    `SELECT * FROM (${selects.map((each) => `(${each})`).join(' UNION ALL ')}) AS listed ORDER BY ${order} LIMIT ${listLength}`,
  );
  return rows.map(({ _edited_at: _edited, scheduled_at: _scheduled, ...entry }) => entry);
}
