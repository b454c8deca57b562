import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { updateFolderName } from '../folders.repository.js';
import type { FolderResponse } from '../folders.schemas.js';

/**
 * Renames a folder; its own name in another spelling is as good as any (contract 12).
 * @throws QuireError NOT_FOUND, CONFLICT when the name is taken.
 */
export async function updateMediaFolder(
  ctx: Context,
  id: string,
  name: string,
): Promise<{ item: FolderResponse }> {
  const item = await updateFolderName(ctx.db, id, name);
  if (!item) throw notFound('media folder');
  return { item };
}
