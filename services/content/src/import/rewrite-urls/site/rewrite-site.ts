import type { Context } from '@quire/context';
import type { UrlMap } from '@quire/values';
import type { MediaItems } from '../media-by-url.js';
import { RewriteContext, rewriteRichText } from '../values/index.js';
import {
  contentTables,
  selectContents,
  selectMenuUrls,
  updateContents,
  updateMenuUrls,
  type ContentChange,
  type StoredContent,
} from './rewrite-site.repository.js';

/** Blocks of sections and widgets are rich text only. */
const noBlockFields = () => null;

/**
 * Replaces addresses in sections, widgets and menu items (contract 1.6). A row that a user changes between the read
 * and the write keeps the other change: the request can be repeated.
 * @returns the number of addresses that were replaced.
 * @throws QuireError SERVICE_UNAVAILABLE (media items cannot be looked up).
 */
export async function rewriteSite(
  ctx: Context,
  { urls, media }: { urls: UrlMap; media: MediaItems },
): Promise<number> {
  let count = await rewriteMenus(ctx, urls);
  for (const table of contentTables) {
    for (let after: string | undefined = ''; after !== undefined;) {
      const rows: StoredContent[] = await selectContents(ctx.db, table, after);
      const changes = await rewriteContents(rows, urls, media);
      if (changes.length > 0) {
        const written = new Set(await updateContents(ctx.db, table, changes));
        for (const change of changes) if (written.has(change.id)) count += change.count;
      }
      after = rows.at(-1)?.id;
    }
  }
  return count;
}

async function rewriteContents(
  rows: readonly StoredContent[],
  urls: UrlMap,
  media: MediaItems,
): Promise<(ContentChange & { count: number })[]> {
  const rewrite = (row: StoredContent) => {
    const context = new RewriteContext(urls, media, noBlockFields);
    const stored: unknown = JSON.parse(row.text);
    const content = rewriteRichText(stored, context);
    return { row, isChanged: content !== stored, content, context };
  };
  const first = rows.map(rewrite);
  const missing = new Set(first.flatMap(({ context }) => [...context.missing]));
  if (missing.size > 0) await media.fetch(missing);
  return first.flatMap((rewritten) => {
    const { row, isChanged, content, context } =
      rewritten.context.missing.size > 0 ? rewrite(rewritten.row) : rewritten;
    return isChanged ? [{ ...row, content: JSON.stringify(content), count: context.count }] : [];
  });
}

async function rewriteMenus(ctx: Context, urls: UrlMap): Promise<number> {
  let count = 0;
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows: { id: string; url: string }[] = await selectMenuUrls(ctx.db, after);
    const changes = rows.flatMap(({ id, url }) => {
      const to = urls.find(url);
      return to === undefined || to === url ? [] : [{ id, url, to }];
    });
    if (changes.length > 0) count += await updateMenuUrls(ctx.db, changes);
    after = rows.at(-1)?.id;
  }
  return count;
}
