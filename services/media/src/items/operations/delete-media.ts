import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { assertOnRow } from '@quire/permissions';
import { scheduleObjectDeletion, type MediaObjects } from '../../objects/index.js';
import { scheduleVariantDeletion } from '../../variants/index.js';
import type { MediaChangeNotifier } from '../media-change-notifier.js';
import { selectItemById, deleteItem } from '../items.repository.js';

/**
 * Deletes an item: its row, then its bytes and the variants made of them. If the store is down, the scheduled
 * deletions run later. What refers to the item is left as it is (contract 11).
 * @throws QuireError NOT_FOUND, FORBIDDEN on an item of somebody else.
 */
export async function deleteMedia(
  ctx: Context,
  { objects, notifier }: { objects: MediaObjects; notifier: MediaChangeNotifier },
  id: string,
): Promise<{ deleted: true }> {
  const item = await selectItemById(ctx.db, id);
  if (!item) throw notFound('media item');
  assertOnRow(ctx.principal, 'media:delete', item.authorId);
  const doomed = await ctx.db.transaction(async (tx) => {
    const removed = await deleteItem(tx, id);
    if (!removed) throw notFound('media item');
    await audit(ctx, tx, { action: 'media.deleted', target: { type: 'media', id } });
    const { objectKey, status } = removed;
    // The object of an item that never became ready has a scheduled deletion since the upload target was created.
    if (objectKey === null || status !== 'ready') return [];
    await scheduleObjectDeletion(tx, ctx.principal.tenant, objectKey);
    const variants = await scheduleVariantDeletion(tx, ctx.principal.tenant, objectKey);
    await notifier.fileChanged(tx, ctx, id);
    return [objectKey, ...variants];
  });
  for (const objectKey of doomed) await objects.remove(ctx, objectKey);
  return { deleted: true };
}
