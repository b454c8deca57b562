import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { folderById } from '../folders.repository.js';
import type { FolderAnswer } from '../folders.schemas.js';

/** One folder (contract 12). @throws QuireError NOT_FOUND. */
export async function getFolder(ctx: Context, id: string): Promise<{ item: FolderAnswer }> {
  const item = await folderById(ctx.db, id);
  if (!item) throw notFound('media folder');
  return { item };
}
