import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { assertOnRow } from '@quire/permissions';
import { toMediaItemResponse, type MediaItemResponse } from '../item.mapper.js';
import { selectItemById, updateItem } from '../items.repository.js';
import type { MediaUpdate } from '../items.schemas.js';

/**
 * Changes what is sent of an item; nothing sent changes nothing (contract 11).
 * @throws QuireError NOT_FOUND (item or folder), FORBIDDEN on an item of somebody else.
 */
export async function updateMedia(
  ctx: Context,
  id: string,
  change: MediaUpdate,
): Promise<{ item: MediaItemResponse }> {
  const current = await selectItemById(ctx.db, id);
  if (!current) throw notFound('media item');
  assertOnRow(ctx.principal, 'media:edit', current.authorId);
  if (Object.values(change).every((value) => value === undefined))
    return { item: toMediaItemResponse(current) };
  const item = await updateItem(ctx.db, id, change);
  if (!item) throw notFound('media item');
  return { item: toMediaItemResponse(item) };
}
