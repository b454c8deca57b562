import type { Context } from '@quire/context';
import type { z } from 'zod';
import { toMediaItemResponse, itemSchema } from '../item.mapper.js';
import { selectItemsByIds } from '../items.repository.js';

/** What other services show, and keep, of an item. */
export const fileSchema = itemSchema.pick({
  id: true,
  filename: true,
  mimeType: true,
  size: true,
  width: true,
  height: true,
  alt: true,
  blurhash: true,
  dominantColor: true,
  storageKey: true,
  url: true,
});

export type ItemFile = z.output<typeof fileSchema>;

/** The files of the ready items of these ids; unknown ids are left out. */
export async function listFiles(ctx: Context, ids: readonly string[]): Promise<ItemFile[]> {
  return (await selectItemsByIds(ctx.db, ids)).map((item) => fileSchema.parse(toMediaItemResponse(item)));
}
