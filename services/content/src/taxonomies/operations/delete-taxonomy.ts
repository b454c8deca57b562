import type { Context } from '@quire/context';
import { holdAssignments } from '../../term-assignments/index.js';
import { holdTaxonomy } from '../taxonomies.repository.js';

/**
 * Removes a taxonomy in all locales, its terms and their assignments. Entries stay as they are (spec document 1, Content
 * rule 6).
 * @throws QuireError NOT_FOUND
 */
export async function deleteTaxonomy(ctx: Context, name: string): Promise<{ deleted: true }> {
  return ctx.db.transaction(async (tx) => {
    const { id } = await holdTaxonomy(tx, name, 'FOR UPDATE');
    await holdAssignments(tx);
    await tx.query('DELETE FROM taxonomies WHERE id = $1', [id]);
    return { deleted: true };
  });
}
