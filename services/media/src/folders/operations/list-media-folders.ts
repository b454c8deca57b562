import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { folderOrder, selectFolders } from '../folders.repository.js';
import type { FolderResponse, FoldersQuery } from '../folders.schemas.js';

/**
 * One page of folders by name as it is compared, then id (contract 12). `q` finds a part of the name.
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
