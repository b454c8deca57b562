import type { Context } from '@quire/context';
import { hasSqlState, identifier, sqlState, type Queryable, type Transaction } from '@quire/database';
import { contentTableName } from '../../schema/index.js';
import { lockByline } from '../bylines.repository.js';

/** An entry that is being credited and the byline that is being removed may each wait for the other. */
const maxAttempts = 5;

/**
 * Deletes a byline in one locale. With the last of its locales its credits go too, and where it was the primary byline
 * of an entry, the next credit becomes that, if there is one (spec document 2; contract 35).
 * @throws QuireError NOT_FOUND
 */
export async function deleteByline(ctx: Context, id: string): Promise<{ deleted: true }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await ctx.db.transaction((tx) => deleteBylineRows(tx, id));
      return { deleted: true };
    } catch (error) {
      if (!hasSqlState(error, sqlState.deadlock) || attempt >= maxAttempts) throw error;
    }
  }
}

async function deleteBylineRows(tx: Transaction, id: string): Promise<void> {
  const { translationGroup: group } = await lockByline(tx, id, 'FOR UPDATE');
  await tx.query('DELETE FROM bylines WHERE id = $1', [id]);
  const others = await tx.query('SELECT 1 FROM bylines WHERE translation_group = $1 LIMIT 1', [group]);
  if (others.length > 0) return;
  for (const { slug } of await selectCreditingCollections(tx, group)) await deleteCredits(tx, slug, group);
  await tx.query('DELETE FROM byline_groups WHERE id = $1', [group]);
}

/** The collections with entries that credit a byline; none of them is deleted until the transaction ends. */
function selectCreditingCollections(tx: Queryable, group: string): Promise<{ slug: string }[]> {
  return tx.query(
    `SELECT slug FROM collections WHERE slug IN (SELECT collection FROM entry_bylines WHERE byline_group = $1)
     ORDER BY slug FOR KEY SHARE`,
    [group],
  );
}

/** Entries are locked before their credits change, as by everybody who writes both. */
async function deleteCredits(tx: Queryable, collection: string, group: string): Promise<void> {
  const table = identifier(contentTableName(collection));
  await tx.query(
    `SELECT 1 FROM ${table} WHERE id IN (SELECT entry_id FROM entry_bylines WHERE byline_group = $1)
     ORDER BY id FOR UPDATE`,
    [group],
  );
  await tx.query('DELETE FROM entry_bylines WHERE byline_group = $1 AND collection = $2', [
    group,
    collection,
  ]);
  await tx.query(
    `UPDATE ${table} e SET primary_byline_id = (
       SELECT c.byline_group FROM entry_bylines c WHERE c.entry_id = e.id ORDER BY c.sort_order LIMIT 1)
     WHERE e.primary_byline_id = $1`,
    [group],
  );
}
