import type { Context } from '@quire/context';
import { SearchEngineUnavailable, type SearchIndex } from '@quire/search-engine';
import type { ContentDocuments } from '../content/index.js';
import type { SearchServices } from '../search-services.js';

const maximumAttempts = 5;

/**
 * Puts what content said into an index, and takes out what is not published. Entries of which something newer arrived meanwhile
 * are asked for again, and so are those that were too much at once.
 * @throws SearchIndexMissing, SearchEngineUnavailable
 */
export async function writeDocuments(
  ctx: Context,
  services: SearchServices,
  index: SearchIndex,
  answer: ContentDocuments,
): Promise<void> {
  const site = services.indexesOf(ctx);
  let current = answer;
  for (let attempt = 1; attempt <= maximumAttempts;) {
    const { documents, removed, left, version } = current;
    const overtaken: string[] = [];
    if (documents.length > 0) overtaken.push(...(await site.put(index, documents)).overtaken);
    if (removed.length > 0) {
      const gone = removed.map((id) => ({ id, version }));
      overtaken.push(...(await site.remove(index, gone)).overtaken);
    }
    const again = [...overtaken, ...left];
    if (again.length === 0) return;
    if (overtaken.length > 0) attempt += 1;
    current = await services.content.documents(ctx, answer.collection.slug, again);
  }
  throw new SearchEngineUnavailable(new Error('Entries change faster than they can be indexed'));
}
