import type { Context } from '@quire/context';
import { lockBylineField, deleteBylineFieldWithValues } from '../byline-fields.repository.js';

/** Removes a field with the values that bylines have of it (contract 35). @throws QuireError NOT_FOUND */
export async function deleteBylineField(ctx: Context, slug: string): Promise<{ deleted: true }> {
  return ctx.db.transaction(async (tx) => {
    await lockBylineField(tx, slug);
    await deleteBylineFieldWithValues(tx, slug);
    return { deleted: true };
  });
}
