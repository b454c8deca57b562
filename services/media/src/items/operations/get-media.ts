import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { usageSummaries, type UsageDeps } from '../../usage/index.js';
import { toMediaItemResponse, type ItemWithUsage } from '../item.mapper.js';
import { selectItemById } from '../items.repository.js';

/**
 * One item, whatever its state, with its usage where that is asked for (contract 11).
 * @throws QuireError NOT_FOUND, SERVICE_UNAVAILABLE when usage cannot be told now.
 */
export async function getMedia(
  ctx: Context,
  usage: UsageDeps,
  id: string,
  { withUsage }: { withUsage: boolean },
): Promise<{ item: ItemWithUsage }> {
  const item = await selectItemById(ctx.db, id);
  if (!item) throw notFound('media item');
  if (!withUsage) return { item: toMediaItemResponse(item) };
  const summaryOf = await usageSummaries(ctx, usage, [id]);
  return { item: { ...toMediaItemResponse(item), usage: summaryOf(id) } };
}
