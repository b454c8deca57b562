import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { contentApi, ResponseOf } from '@quire/internal-api';

/**
 * The types of files that a field takes; null when it takes any (document 3, image and file; decision 9).
 * @throws QuireError NOT_FOUND when there is no such field.
 */
export async function getFileTypes(
  ctx: Context,
  fieldId: string,
): Promise<ResponseOf<typeof contentApi.getFileTypes>> {
  const [field] = await ctx.db.query<ResponseOf<typeof contentApi.getFileTypes>>(
    `SELECT validation -> 'allowedMimeTypes' AS "allowedMimeTypes" FROM fields WHERE id = $1`,
    [fieldId],
  );
  if (!field) throw notFound('field');
  return field;
}
