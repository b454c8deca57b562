import { columnsOf, literal, type Queryable, type Row, type Statement } from '@quire/database';
import { bylineJson, type BylineSummary } from './byline-summary.js';
import { EntryByline } from './entry-byline.entity.js';

/** A stored credit, by translation group. */
export type Credit = Pick<Row<EntryByline>, 'group' | 'roleLabel'>;

const columns = columnsOf(EntryByline, { only: ['group', 'roleLabel'] });

/** A credit in responses about an entry. */
export interface StoredCredit {
  byline: BylineSummary;
  sortOrder: number;
  roleLabel: string | null;
  source: 'explicit' | 'inferred';
}

/**
 * SQL of the group of the byline that is linked to the author of entry `e`: in the locale, else in the default one.
 * The oldest of several; null without one.
 */
export function linkedGroup(locale: string, defaultLocale: string): string {
  return `(SELECT own.translation_group FROM bylines own
    WHERE own.user_id = e.author_id AND own.locale IN (${locale}, ${literal(defaultLocale)})
    ORDER BY (own.locale = ${locale}) DESC, own.id LIMIT 1)`;
}

/** SQL condition: the byline group has a byline. The credits of a deleted one are deleted in steps. */
export function isOfByline(group: string): string {
  return `EXISTS (SELECT FROM bylines shown WHERE shown.translation_group = ${group})`;
}

/** SQL of the group of the primary byline of an entry: the first of its credits, null without one. */
export function primaryGroup(entry: string): string {
  const stored = `${entry}.primary_byline_id`;
  return `CASE WHEN ${stored} IS NULL OR ${isOfByline(stored)} THEN ${stored} ELSE (
      SELECT c.byline_group FROM entry_bylines c WHERE c.entry_id = ${entry}.id AND ${isOfByline('c.byline_group')}
      ORDER BY c.sort_order LIMIT 1) END`;
}

/**
 * SQL of the credits of entry `e`, in order. Each byline is that of the entry's locale, else of the default one; a
 * byline in neither is left out. Without stored credits the byline of the author is an inferred credit (contract 6). An
 * entry without credits and author reads no other table.
 */
export function creditsOfEntry(defaultLocale: string): string {
  const shownByline = `CROSS JOIN LATERAL (
    SELECT * FROM bylines WHERE translation_group = g.id AND locale IN (e._locale, ${literal(defaultLocale)})
    ORDER BY (locale = e._locale) DESC LIMIT 1
  ) b`;
  return `
    CASE WHEN (${primaryGroup('e')}) IS NOT NULL THEN (
      SELECT json_agg(json_build_object('byline', ${bylineJson}, 'sortOrder', c.sort_order, 'roleLabel', c.role_label,
        'source', 'explicit') ORDER BY c.sort_order)
      FROM entry_bylines c JOIN byline_groups g ON g.id = c.byline_group ${shownByline}
      WHERE c.entry_id = e.id
    ) WHEN e.author_id IS NOT NULL THEN (
      SELECT json_build_array(json_build_object('byline', ${bylineJson}, 'sortOrder', 0, 'roleLabel', NULL,
        'source', 'inferred'))
      FROM byline_groups g ${shownByline}
      WHERE g.id = ${linkedGroup('e._locale', defaultLocale)}
    ) END`;
}

/** @returns the bylines of these ids and of the groups of these ids, with their groups. */
export function selectBylineGroups(
  sql: Queryable,
  ids: readonly string[],
): Promise<{ id: string; group: string }[]> {
  return sql.query<{ id: string; group: string }>(
    'SELECT id, translation_group AS "group" FROM bylines WHERE id = ANY($1) OR translation_group = ANY($1)',
    [ids],
  );
}

/** The bylines that a filter names, by translation group, with the users who are linked to one of a group. */
export interface CreditedBylines {
  groups: string[];
  userIds: string[];
}

/** @returns the groups of bylines that are named by their ids or those of their groups. */
export async function selectCreditedBylines(
  sql: Queryable,
  ids: readonly string[],
): Promise<CreditedBylines> {
  const rows = await sql.query<{ group: string; userId: string | null }>(
    `SELECT DISTINCT translation_group AS "group", user_id AS "userId" FROM bylines WHERE translation_group IN (
       SELECT translation_group FROM bylines WHERE id = ANY($1) OR translation_group = ANY($1))`,
    [ids],
  );
  return {
    groups: [...new Set(rows.map(({ group }) => group))],
    userIds: rows.flatMap(({ userId }) => userId ?? []),
  };
}

/** @returns the statements that replace the credits of an entry. */
export function bylineStatements(
  collection: string,
  entryId: string,
  credits: readonly Credit[],
): Statement[] {
  return [
    { text: 'DELETE FROM entry_bylines WHERE entry_id = $1', values: [entryId] },
    {
      text: `
        INSERT INTO entry_bylines (entry_id, collection, byline_group, role_label, sort_order)
        SELECT $1, $2, credit.byline_group, credit.role_label, credit.position - 1
        FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS credit (byline_group, role_label, position)`,
      values: [
        entryId,
        collection,
        credits.map(({ group }) => group),
        credits.map(({ roleLabel }) => roleLabel),
      ],
    },
  ];
}

/** @returns the stored credits of an entry, in order. */
export function selectCredits(sql: Queryable, entryId: string): Promise<Credit[]> {
  return sql.query<Credit>(
    `SELECT ${columns} FROM entry_bylines WHERE entry_id = $1 AND ${isOfByline('byline_group')} ORDER BY sort_order`,
    [entryId],
  );
}
