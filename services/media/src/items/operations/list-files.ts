import type { Context } from '@quire/context';
import { itemAnswer } from '../item-answer.js';
import { itemsByIds } from '../items.repository.js';

/** What other services show of an item. */
export interface ItemFile {
  id: string;
  url: string;
  contentType: string;
  width: number | null;
  height: number | null;
}

/** The files of the ready items of these ids; unknown ids are left out. */
export async function listFiles(ctx: Context, ids: readonly string[]): Promise<ItemFile[]> {
  const items = await itemsByIds(ctx.db, ids);
  return items.map((item) => {
    const { id, url, mimeType, width, height } = itemAnswer(item);
    return { id, url, contentType: mimeType, width, height };
  });
}
