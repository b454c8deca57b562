import { hasSqlState, identifier, Parameters, sqlState, type Queryable } from '@quire/database';
import { contentTableName } from '../../schema/index.js';

const maxAttempts = 3;

/**
 * Counts the entries of terms, by group: entries published in at least one locale and not in the trash. Groups without
 * entries are absent. Reads the assignments of these terms and the published entries, both from indexes.
 */
export async function countEntriesByTerm(
  sql: Queryable,
  termGroups: readonly string[],
): Promise<Map<string, number>> {
  if (termGroups.length === 0) return new Map();
  for (let attempt = 1; ; attempt += 1) {
    const collections = await assignedCollections(sql);
    if (collections.length === 0) return new Map();
    try {
      const rows = await sql.query<{ group: string; count: number }>(countStatement(collections, termGroups));
      return new Map(rows.map(({ group, count }) => [group, count]));
    } catch (error) {
      // A collection was deleted between the two statements.
      if (!hasSqlState(error, sqlState.undefinedTable) || attempt === maxAttempts) throw error;
    }
  }
}

/**
 * Existing collections whose entries have terms: also of a taxonomy that is not for the collection any more. The first
 * term of each is looked up in an index; `EXISTS` would read all assignments where a collection has none.
 */
async function assignedCollections(sql: Queryable): Promise<string[]> {
  const rows = await sql.query<{ slug: string }>(
    `SELECT c.slug FROM collections c
     WHERE (SELECT min(x.term_group) FROM entry_terms x WHERE x.collection = c.slug) IS NOT NULL ORDER BY c.slug`,
  );
  return rows.map(({ slug }) => slug);
}

function countStatement(collections: readonly string[], termGroups: readonly string[]) {
  const params = new Parameters();
  const groups = params.add(termGroups);
  const counts = collections.map(
    (slug) => `
      SELECT x.term_group, count(*) AS count FROM entry_terms x
      WHERE x.term_group = ANY(${groups}) AND x.collection = ${params.add(slug)} AND EXISTS (
        SELECT 1 FROM ${identifier(contentTableName(slug))} e
        WHERE e._translation_group = x.entry_group AND e.status = 'published' AND e.deleted_at IS NULL)
      GROUP BY x.term_group`,
  );
  const text = `
    SELECT c.term_group AS "group", sum(c.count)::integer AS count FROM (${counts.join(' UNION ALL ')}) c
    GROUP BY c.term_group`;
  return { text, values: params.values };
}
