import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { itemAnswer, type ItemAnswer } from '../item-answer.js';
import { itemById } from '../items.repository.js';

/** One item, whatever its state (contract 11). @throws QuireError NOT_FOUND. */
export async function getMedia(ctx: Context, id: string): Promise<{ item: ItemAnswer }> {
  const item = await itemById(ctx.db, id);
  if (!item) throw notFound('media item');
  return { item: itemAnswer(item) };
}
