import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { selectBylineFields, lockBylineFields } from '../byline-fields.repository.js';
import type { BylineFieldResponse } from '../byline-fields.schemas.js';

/**
 * Sets the display order.
 * @throws QuireError REORDER_MISMATCH when the slugs are not those of all fields, each once.
 */
export async function reorderBylineFields(
  ctx: Context,
  slugs: readonly string[],
): Promise<BylineFieldResponse[]> {
  return ctx.db.transaction(async (tx) => {
    const present = (await lockBylineFields(tx, 'FOR UPDATE')).map(({ slug }) => slug);
    const named = new Set(slugs);
    const isWhole = slugs.length === present.length && present.every((slug) => named.has(slug));
    if (!isWhole)
      throw new QuireError('REORDER_MISMATCH', 'slugs: must list every byline field exactly once');
    await tx.query(
      `UPDATE byline_fields SET sort_order = array_position($1::text[], slug) - 1, updated_at = now()
       WHERE sort_order <> array_position($1::text[], slug) - 1`,
      [slugs],
    );
    return selectBylineFields(tx);
  });
}
