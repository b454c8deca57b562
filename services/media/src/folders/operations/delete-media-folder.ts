import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { deleteFolderRow } from '../folders.repository.js';

/**
 * Deletes a folder; its media go to the main library and stay as they are (document 1, Media 6).
 * @throws QuireError NOT_FOUND.
 */
export async function deleteMediaFolder(ctx: Context, id: string): Promise<{ deleted: true }> {
  if (!(await deleteFolderRow(ctx.db, id))) throw notFound('media folder');
  return { deleted: true };
}
