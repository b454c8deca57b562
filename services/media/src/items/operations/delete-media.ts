import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { requireOnRow } from '@quire/permissions';
import { doom, type MediaObjects } from '../../objects/index.js';
import { doomVariants } from '../../variants/index.js';
import type { ItemNews } from '../item-news.js';
import { itemById, removeItem } from '../items.repository.js';

/**
 * Deletes an item: its row, then its bytes and the variants made of them. Those that the store keeps, because it is down, are doomed
 * already and go later. What refers to the item is left as it is (contract 11).
 * @throws QuireError NOT_FOUND, FORBIDDEN on an item of somebody else.
 */
export async function deleteMedia(
  ctx: Context,
  { objects, news }: { objects: MediaObjects; news: ItemNews },
  id: string,
): Promise<{ deleted: true }> {
  const item = await itemById(ctx.db, id);
  if (!item) throw notFound('media item');
  requireOnRow(ctx.principal, 'media:delete', item.authorId);
  const doomed = await ctx.db.transaction(async (tx) => {
    const removed = await removeItem(tx, id);
    if (!removed) throw notFound('media item');
    await audit(ctx, tx, { action: 'media.deleted', target: { type: 'media', id } });
    const { objectKey, status } = removed;
    // What belongs to an item that never became ready is doomed since it was announced.
    if (objectKey === null || status !== 'ready') return [];
    await doom(tx, ctx.principal.tenant, objectKey);
    const variants = await doomVariants(tx, ctx.principal.tenant, objectKey);
    await news.fileChanged(tx, ctx, id);
    return [objectKey, ...variants];
  });
  for (const objectKey of doomed) await objects.remove(ctx, objectKey);
  return { deleted: true };
}
