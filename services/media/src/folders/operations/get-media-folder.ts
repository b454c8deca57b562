import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { selectFolderById } from '../folders.repository.js';
import type { FolderResponse } from '../folders.schemas.js';

/** One folder (contract 12). @throws QuireError NOT_FOUND. */
export async function getMediaFolder(ctx: Context, id: string): Promise<{ item: FolderResponse }> {
  const item = await selectFolderById(ctx.db, id);
  if (!item) throw notFound('media folder');
  return { item };
}
