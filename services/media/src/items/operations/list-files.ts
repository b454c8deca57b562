import type { Context } from '@quire/context';
import type { z } from 'zod';
import { itemAnswer, itemSchema } from '../item-answer.js';
import { itemsByIds } from '../items.repository.js';

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
  return (await itemsByIds(ctx.db, ids)).map((item) => fileSchema.parse(itemAnswer(item)));
}
