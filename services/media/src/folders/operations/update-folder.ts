import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { renameFolder } from '../folders.repository.js';
import type { FolderAnswer } from '../folders.schemas.js';

/**
 * Renames a folder; its own name in another spelling is as good as any (contract 12).
 * @throws QuireError NOT_FOUND, CONFLICT when the name is taken.
 */
export async function updateFolder(ctx: Context, id: string, name: string): Promise<{ item: FolderAnswer }> {
  const item = await renameFolder(ctx.db, id, name);
  if (!item) throw notFound('media folder');
  return { item };
}
