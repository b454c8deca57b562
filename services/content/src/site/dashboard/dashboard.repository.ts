import { identifier, literal, Parameters, type Queryable } from '@quire/database';
import {
  entryStatuses,
  latestOfStatuses,
  selectCountedTables,
  storedCount,
  type EntryStatus,
} from '../../schema/index.js';
import type { RecentItem } from './dashboard.schemas.js';

/** A collection of the dashboard. */
export interface VisibleCollection {
  slug: string;
  label: string;
  table: string;
  /** The field whose text titles an entry; null when there is none. */
  titleColumn: string | null;
}

/** The entries of a collection by status, without trashed ones. */
export interface EntryCounts {
  total: number;
  published: number;
  draft: number;
  scheduled: number;
  overdueScheduled: number;
}

/** Counts of no entries. */
export const noEntries: EntryCounts = { total: 0, published: 0, draft: 0, scheduled: 0, overdueScheduled: 0 };

/**
 * Counts the entries of all collections, by slug: from the stored counts, and scheduled ones by their index. Tables
 * whose entries are not counted, which a former version created, are scanned.
 */
export async function countEntries(
  sql: Queryable,
  collections: readonly VisibleCollection[],
): Promise<Map<string, EntryCounts>> {
  if (collections.length === 0) return new Map();
  const tables = collections.map(({ table }) => table);
  const counted = new Set(await selectCountedTables(sql, tables));
  const selects = collections.map(({ slug, table }) => {
    const live = `FROM ${identifier(table)} WHERE deleted_at IS NULL`;
    const count = (status?: EntryStatus) => {
      const ofStatus = (column: string) => (status === undefined ? [] : [`${column} = ${literal(status)}`]);
      if (counted.has(table)) return storedCount(table, ofStatus('n.status'));
      return `(SELECT count(*) ${[live, ...ofStatus('status')].join(' AND ')})`;
    };
    return `SELECT ${literal(slug)} AS slug, ${count()} AS total, ${count('published')} AS published,
      ${count('draft')} AS draft, count(*) AS scheduled, count(*) FILTER (WHERE scheduled_at < now()) AS "overdueScheduled"
      ${live} AND scheduled_at IS NOT NULL`;
  });
  const rows = await sql.query<EntryCounts & { slug: string }>(selects.join(' UNION ALL '));
  return new Map(rows.map(({ slug, ...counts }) => [slug, counts]));
}

const recentCount = 10;
/** Titles may be texts of any length. */
const titleCharacters = 200;

/**
 * @returns the entries updated last, of all collections, in one statement that reads a few rows of an index of each
 *   table. An entry without a title has its slug as title, else its id.
 */
export async function selectRecentEntries(
  sql: Queryable,
  collections: readonly VisibleCollection[],
  { isPublishedOnly }: { isPublishedOnly: boolean },
): Promise<RecentItem[]> {
  if (collections.length === 0) return [];
  const params = new Parameters();
  const newestFirst = `ORDER BY "updatedAt" DESC NULLS LAST, id DESC LIMIT ${recentCount}`;
  const latest = { statuses: isPublishedOnly ? (['published'] as const) : entryStatuses, limit: recentCount };
  const selects = collections.map(({ slug, label, table, titleColumn }) => {
    const title =
      titleColumn === null
        ? ''
        : `nullif(left(e.${identifier(titleColumn)}::text, ${titleCharacters}), ''), `;
    return `(SELECT e.id, ${literal(slug)} AS collection, ${params.add(label, 'text')} AS "collectionLabel",
      coalesce(${title}e.slug, e.id) AS title, e.slug, e.status, e.updated_at AS "updatedAt", e.author_id AS "authorId"
      FROM (${latestOfStatuses(table, 'updated_at', latest)}) e)`;
  });
  return sql.query<RecentItem>(
    `SELECT * FROM (${selects.join(' UNION ALL ')}) AS recent ${newestFirst}`,
    params.values,
  );
}
