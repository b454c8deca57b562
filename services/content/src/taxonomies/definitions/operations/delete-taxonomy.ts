import type { Context } from '@quire/context';
import { lockAssignments } from '../../assignments/index.js';
import { lockTaxonomy } from '../taxonomies.repository.js';

/**
 * Removes a taxonomy in all locales, its terms and their assignments. Entries stay as they are (spec document 1,
 * Content rule 6).
 * @throws QuireError NOT_FOUND
 */
export async function deleteTaxonomy(ctx: Context, name: string): Promise<{ deleted: true }> {
  return ctx.db.transaction(async (tx) => {
    const { id } = await lockTaxonomy(tx, name, 'FOR UPDATE');
    await lockAssignments(tx);
    await tx.query('DELETE FROM taxonomies WHERE id = $1', [id]);
    return { deleted: true };
  });
}
