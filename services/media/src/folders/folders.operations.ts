import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { notFound } from '@quire/errors';
import {
  deleteFolderRow,
  folderOrder,
  insertFolder,
  selectFolderById,
  selectFolders,
  updateFolderName,
} from './folders.repository.js';
import type { FolderResponse, FoldersQuery } from './folders.schemas.js';

/**
 * @returns one page of folders in order of their name keys and ids (contract 12). `q` matches a part of the name.
 * @throws QuireError INVALID_CURSOR.
 */
export async function listMediaFolders(
  ctx: Context,
  { q, cursor, limit }: FoldersQuery,
): Promise<{ items: FolderResponse[]; nextCursor?: string }> {
  const scope = cursorScope({ operation: 'listMediaFolders', tenant: ctx.principal.tenant.id, q });
  const page = new KeysetPage(folderOrder, scope, { cursor, limit });
  const rows = await selectFolders(ctx.db, q, page);
  const { items, ...rest } = page.cut(rows, ({ nameKey, id }) => ({ value: nameKey, id }));
  return { items: items.map(({ nameKey: _, ...folder }) => folder), ...rest };
}

/** Creates a folder (contract 12). @throws QuireError CONFLICT when the name is taken. */
export async function createMediaFolder(ctx: Context, name: string): Promise<{ item: FolderResponse }> {
  return { item: await insertFolder(ctx.db, name) };
}

/** @returns one folder (contract 12). @throws QuireError NOT_FOUND. */
export async function getMediaFolder(ctx: Context, id: string): Promise<{ item: FolderResponse }> {
  const item = await selectFolderById(ctx.db, id);
  if (!item) throw notFound('media folder');
  return { item };
}

/**
 * Renames a folder; another spelling of its own name is accepted (contract 12).
 * @throws QuireError NOT_FOUND, CONFLICT when the name is taken.
 */
export async function updateMediaFolder(
  ctx: Context,
  { id, name }: { id: string; name: string },
): Promise<{ item: FolderResponse }> {
  const item = await updateFolderName(ctx.db, id, name);
  if (!item) throw notFound('media folder');
  return { item };
}

/**
 * Deletes a folder; its media move to the main library unchanged (document 1, Media 6).
 * @throws QuireError NOT_FOUND.
 */
export async function deleteMediaFolder(ctx: Context, id: string): Promise<{ deleted: true }> {
  if (!(await deleteFolderRow(ctx.db, id))) throw notFound('media folder');
  return { deleted: true };
}
