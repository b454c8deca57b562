import { identifier, type Queryable } from '@quire/database';
import type { DeletionStep } from '../deletions/index.js';
import { contentTableName } from '../schema/index.js';

/** Credits that a step deletes. */
const maxCredits = 500;

/**
 * Deletes credits of a byline group without bylines, with the last ones the group. An entry whose primary byline it was
 * gets its next credit as the primary one. Entries are locked before their credits change, as in every transaction that
 * writes both.
 */
export const deleteCredits: DeletionStep = async (tx, { id: group, position }) => {
  // No other transaction adds credits until this one ends.
  await tx.query('SELECT 1 FROM byline_groups WHERE id = $1 FOR UPDATE', [group]);
  const credits = await tx.query<{ entryId: string; collection: string }>(
    `SELECT entry_id AS "entryId", collection FROM entry_bylines WHERE byline_group = $1
     ORDER BY entry_id LIMIT ${maxCredits}`,
    [group],
  );
  const ids = credits.map(({ entryId }) => entryId);
  const tables = await lockCollections(tx, [...new Set(credits.map(({ collection }) => collection))]);
  for (const table of tables)
    await tx.query(`SELECT 1 FROM ${table} WHERE id = ANY($1) ORDER BY id FOR UPDATE`, [ids]);
  await tx.query('DELETE FROM entry_bylines WHERE byline_group = $1 AND entry_id = ANY($2)', [group, ids]);
  for (const table of tables)
    await tx.query(
      `UPDATE ${table} e SET primary_byline_id = (
         SELECT c.byline_group FROM entry_bylines c WHERE c.entry_id = e.id ORDER BY c.sort_order LIMIT 1)
       WHERE e.id = ANY($1) AND e.primary_byline_id = $2`,
      [ids, group],
    );
  if (credits.length === maxCredits) return position;
  await tx.query('DELETE FROM byline_groups WHERE id = $1', [group]);
  return undefined;
};

/** Keeps collections from being deleted until the transaction ends. @returns SQL of the tables of those that exist. */
async function lockCollections(tx: Queryable, slugs: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ slug: string }>(
    'SELECT slug FROM collections WHERE slug = ANY($1) ORDER BY slug FOR KEY SHARE',
    [slugs],
  );
  return rows.map(({ slug }) => identifier(contentTableName(slug)));
}
