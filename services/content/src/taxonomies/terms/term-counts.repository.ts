import { hasSqlState, identifier, Parameters, sqlState, type Queryable } from '@quire/database';
import { contentTableName } from '../../schema/index.js';

const maxAttempts = 3;

/**
 * Counts the entries of each term, by group: entries published in at least one locale and not in the trash. Groups
 * without entries are absent. For all terms of a taxonomy, or one.
 */
export async function countEntriesByTerm(
  sql: Queryable,
  taxonomyId: string,
  termGroup?: string,
): Promise<Map<string, number>> {
  for (let attempt = 1; ; attempt += 1) {
    const collections = await assignedCollections(sql, taxonomyId);
    if (collections.length === 0) return new Map();
    try {
      const rows = await sql.query<{ group: string; count: number }>(
        countStatement(collections, taxonomyId, termGroup),
      );
      return new Map(rows.map(({ group, count }) => [group, count]));
    } catch (error) {
      // A collection was deleted between the two statements.
      if (!hasSqlState(error, sqlState.undefinedTable) || attempt === maxAttempts) throw error;
    }
  }
}

/** Existing collections whose entries have terms of the taxonomy. */
async function assignedCollections(sql: Queryable, taxonomyId: string): Promise<string[]> {
  const rows = await sql.query<{ slug: string }>(
    `SELECT c.slug FROM collections c WHERE EXISTS (
       SELECT 1 FROM entry_terms x JOIN term_groups g ON g.id = x.term_group
       WHERE g.taxonomy_id = $1 AND x.collection = c.slug) ORDER BY c.slug`,
    [taxonomyId],
  );
  return rows.map(({ slug }) => slug);
}

function countStatement(collections: readonly string[], taxonomyId: string, termGroup: string | undefined) {
  const params = new Parameters();
  const isLive = collections.map(
    (slug) => `(x.collection = ${params.add(slug)} AND EXISTS (
      SELECT 1 FROM ${identifier(contentTableName(slug))} e
      WHERE e._translation_group = x.entry_group AND e.status = 'published' AND e.deleted_at IS NULL))`,
  );
  const ofTerm = termGroup === undefined ? '' : `AND g.id = ${params.add(termGroup)}`;
  const text = `
    SELECT g.id AS "group", count(*)::integer AS count
    FROM entry_terms x JOIN term_groups g ON g.id = x.term_group
    WHERE g.taxonomy_id = ${params.add(taxonomyId)} ${ofTerm} AND (${isLive.join(' OR ')})
    GROUP BY g.id`;
  return { text, values: params.values };
}
