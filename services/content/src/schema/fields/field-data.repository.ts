import { identifier, type Queryable } from '@quire/database';
import { deletedFieldsOf, type DeletionStep } from '../../deletions/index.js';

/** Key of staged selections by field in the data of a revision. No field slug begins with an underscore. */
export const stagedSelectionsKey = '_references';

/** Revisions that a step reads. */
const maxRevisions = 1_000;

/**
 * SQL of the members of a revision's data (`key`, `value`) without the values and staged selections of deleted fields:
 * a later field with the same slug must not show them (spec document 2, rule 6). Keys keep their order.
 * @param revision alias of the revision
 * @param fields SQL of the slugs of the fields: a query or an array
 */
export function revisionMembers(
  revision: string,
  fields: string = deletedFieldsOf(`${revision}.collection`),
): string {
  return `(SELECT part.key, CASE WHEN part.key <> '${stagedSelectionsKey}' THEN part.value ELSE (
      SELECT coalesce(json_object_agg(key, value), '{}'::json) FROM json_each(part.value) WHERE key <> ALL (${fields})
    ) END AS value FROM json_each(${revision}.data) part WHERE part.key <> ALL (${fields}))`;
}

/** Deletes the values and staged selections of a field from drafts and old revisions, in the order of their ids. */
export const deleteFieldData: DeletionStep = async (tx: Queryable, { collection, field, position }) => {
  const [page] = await tx.query<{ last: string | null; count: number }>(
    `WITH page AS (
       SELECT id FROM revisions WHERE collection = $1 AND id > $3 ORDER BY id LIMIT ${maxRevisions}
     ), changed AS (
       UPDATE revisions r SET data = (
         SELECT coalesce(json_object_agg(key, value), '{}'::json) FROM ${revisionMembers('r', 'ARRAY[$2::text]')} left_over)
       WHERE r.id IN (SELECT id FROM page)
         AND (r.data -> $2 IS NOT NULL OR r.data -> '${stagedSelectionsKey}' -> $2 IS NOT NULL)
     ) SELECT max(id) AS last, count(*) AS count FROM page`,
    [collection, field, position],
  );
  return page && page.count === maxRevisions && page.last !== null ? page.last : undefined;
};

/** Derives the titles of the drafts of a collection's table again, after a change of its title field. */
export async function deriveDraftTitles(sql: Queryable, table: string): Promise<void> {
  // A trigger derives the title from the data (migration 0074).
  await sql.query(
    `UPDATE revisions SET data = data WHERE id IN (SELECT draft_revision_id FROM ${identifier(table)})`,
  );
}
