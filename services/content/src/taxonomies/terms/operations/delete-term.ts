import type { Context } from '@quire/context';
import { invalidInput } from '@quire/errors';
import type { Locales } from '../../../locales/index.js';
import { lockTaxonomy } from '../../definitions/index.js';
import { lockAssignments } from '../../assignments/index.js';
import { selectTerm } from '../terms.repository.js';
import { termAddress, type TermTarget } from './get-term.js';

/**
 * Removes a term in one locale; with its last locale its place and its assignments go too (contract 17).
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR (it has children, in whatever locale; nothing is deleted).
 */
export async function deleteTerm(
  ctx: Context,
  locales: Locales,
  target: TermTarget,
): Promise<{ deleted: true }> {
  const address = termAddress(locales, target);
  return ctx.db.transaction(async (tx) => {
    const taxonomy = await lockTaxonomy(tx, target.name, 'FOR UPDATE');
    const { id, translationGroup } = await selectTerm(tx, taxonomy, address);
    const children = await tx.query('SELECT 1 FROM term_groups WHERE parent_id = $1 LIMIT 1', [
      translationGroup,
    ]);
    if (children.length > 0) {
      throw invalidInput([{ path: '', message: 'The term has children: move or delete them first' }]);
    }
    await lockAssignments(tx);
    await tx.query('DELETE FROM terms WHERE id = $1', [id]);
    await tx.query(
      'DELETE FROM term_groups g WHERE g.id = $1 AND NOT EXISTS (SELECT 1 FROM terms r WHERE r.group_id = g.id)',
      [translationGroup],
    );
    return { deleted: true };
  });
}
