import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { requireOnRow } from '@quire/permissions';
import { itemAnswer, type ItemAnswer } from '../item-answer.js';
import { itemById, writeItem } from '../items.repository.js';
import type { MediaUpdate } from '../items.schemas.js';

/**
 * Changes what is sent of an item; nothing sent changes nothing (contract 11).
 * @throws QuireError NOT_FOUND (item or folder), FORBIDDEN on an item of somebody else.
 */
export async function updateMedia(
  ctx: Context,
  id: string,
  change: MediaUpdate,
): Promise<{ item: ItemAnswer }> {
  const current = await itemById(ctx.db, id);
  if (!current) throw notFound('media item');
  requireOnRow(ctx.principal, 'media:edit', current.authorId);
  if (Object.values(change).every((value) => value === undefined)) return { item: itemAnswer(current) };
  const item = await writeItem(ctx.db, id, change);
  if (!item) throw notFound('media item');
  return { item: itemAnswer(item) };
}
