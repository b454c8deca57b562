import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { BylineField } from '../byline-field.entity.js';
import { countBylineFieldValues, lockBylineField, selectBylineField } from '../byline-fields.repository.js';
import type { BylineFieldResponse, BylineFieldUpdate } from '../byline-fields.schemas.js';
import { assertOptionsMatchType } from './create-byline-field.js';

/**
 * Changes what is sent of a field; its slug and its type stay. Values that bylines have are not checked again.
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR (options), TRANSLATABLE_LOCKED (`translatable`, once there are values:
 * they lie with each locale or with all of them).
 */
export async function updateBylineField(
  ctx: Context,
  slug: string,
  update: BylineFieldUpdate,
): Promise<BylineFieldResponse> {
  return ctx.db.transaction(async (tx) => {
    const field = await lockBylineField(tx, slug);
    if (update.validation !== undefined) assertOptionsMatchType(field.type, update.validation);
    if (update.translatable !== undefined && update.translatable !== field.translatable) {
      const { totalAffectedRows } = await countBylineFieldValues(tx, slug);
      if (totalAffectedRows > 0) {
        const message = `translatable: ${totalAffectedRows} values of '${slug}' exist`;
        throw new QuireError('TRANSLATABLE_LOCKED', message);
      }
    }
    await tx.repository(BylineField).update({ id: field.id }, { ...update, updatedAt: () => 'now()' });
    return selectBylineField(tx, slug);
  });
}
