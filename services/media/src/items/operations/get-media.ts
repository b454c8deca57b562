import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { usageSummaries, type UsageServices } from '../../usage/index.js';
import { itemAnswer, type ItemWithUsage } from '../item-answer.js';
import { itemById } from '../items.repository.js';

/**
 * One item, whatever its state, with its usage where that is asked for (contract 11).
 * @throws QuireError NOT_FOUND, SERVICE_UNAVAILABLE when usage cannot be told now.
 */
export async function getMedia(
  ctx: Context,
  usage: UsageServices,
  id: string,
  { withUsage }: { withUsage: boolean },
): Promise<{ item: ItemWithUsage }> {
  const item = await itemById(ctx.db, id);
  if (!item) throw notFound('media item');
  if (!withUsage) return { item: itemAnswer(item) };
  const summaryOf = await usageSummaries(ctx, usage, [id]);
  return { item: { ...itemAnswer(item), usage: summaryOf(id) } };
}
