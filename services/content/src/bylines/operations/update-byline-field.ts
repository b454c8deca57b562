import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { BylineField } from '../byline-field.entity.js';
import { countValues, holdField, loadField } from '../byline-fields.repository.js';
import type { BylineFieldAnswer, BylineFieldUpdate } from '../byline-fields.schemas.js';
import { requireFittingOptions } from './create-byline-field.js';

/**
 * Changes what is sent of a field; its slug and its type stay. Values that bylines have are not checked again.
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR (options), TRANSLATABLE_LOCKED (`translatable`, once there are values:
 * they lie with each locale or with all of them).
 */
export async function updateBylineField(
  ctx: Context,
  slug: string,
  update: BylineFieldUpdate,
): Promise<BylineFieldAnswer> {
  return ctx.db.transaction(async (tx) => {
    const field = await holdField(tx, slug);
    if (update.validation !== undefined) requireFittingOptions(field.type, update.validation);
    if (update.translatable !== undefined && update.translatable !== field.translatable) {
      const { totalAffectedRows } = await countValues(tx, slug);
      if (totalAffectedRows > 0) {
        const message = `translatable: ${totalAffectedRows} values of '${slug}' exist`;
        throw new QuireError('TRANSLATABLE_LOCKED', message);
      }
    }
    await tx.repository(BylineField).update({ id: field.id }, { ...update, updatedAt: () => 'now()' });
    return loadField(tx, slug);
  });
}
