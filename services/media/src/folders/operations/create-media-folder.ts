import type { Context } from '@quire/context';
import { insertFolder } from '../folders.repository.js';
import type { FolderResponse } from '../folders.schemas.js';

/** Makes a folder (contract 12). @throws QuireError CONFLICT when the name is taken. */
export async function createMediaFolder(ctx: Context, name: string): Promise<{ item: FolderResponse }> {
  return { item: await insertFolder(ctx.db, name) };
}
