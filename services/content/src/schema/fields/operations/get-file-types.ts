import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';

/**
 * The types of files that a field takes; null when it takes any (document 3, image and file; decision 9).
 * @throws QuireError NOT_FOUND when there is no such field.
 */
export async function getFileTypes(
  ctx: Context,
  fieldId: string,
): Promise<{ allowedMimeTypes: string[] | null }> {
  const [field] = await ctx.db.query<{ allowedMimeTypes: string[] | null }>(
    `SELECT validation -> 'allowedMimeTypes' AS "allowedMimeTypes" FROM fields WHERE id = $1`,
    [fieldId],
  );
  if (!field) throw notFound('field');
  return field;
}
