import type { Context } from '@quire/context';
import { indexFormat, SearchEngineUnavailable, type IndexDocument } from '@quire/search-engine';
import { isPure, searchIndex, writeMixed, type GenerationRow } from '../collections/index.js';
import type { ContentDocuments } from '../content/index.js';
import type { SearchServices } from '../search-services.js';
import { addTask } from '../tasks/index.js';

const maximumAttempts = 5;

/**
 * Puts what content said into a generation of an index, and takes out what cannot be found any more. Entries
 * of which something newer arrived meanwhile are asked for again, and so are those that were too much at
 * once.
 * @throws SearchIndexMissing, SearchEngineUnavailable
 */
export async function writeDocuments(
  ctx: Context,
  services: SearchServices,
  collectionId: string,
  generation: GenerationRow,
  answer: ContentDocuments,
): Promise<void> {
  const site = services.indexesOf(ctx);
  const index = searchIndex(collectionId, generation);
  let current = answer;
  for (let attempt = 1; attempt <= maximumAttempts;) {
    await requirePure(ctx, collectionId, generation, current);
    const { documents, removed } = inFormat(generation.format, current);
    const { left, version } = current;
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

/**
 * Before texts of other fields than a generation was begun with get into it, its row says so, and the next
 * one is due. Without that a field that is made searchable and taken back would leave its text behind: the
 * message of the second change finds an index of the fields that are wanted.
 */
async function requirePure(
  ctx: Context,
  collectionId: string,
  generation: GenerationRow,
  { collection, documents }: ContentDocuments,
): Promise<void> {
  if (documents.length === 0 || !isPure(generation)) return;
  if (collection.fingerprint === generation.fingerprint) return;
  await ctx.db.transaction(async (tx) => {
    await writeMixed(tx, collectionId, generation.generation);
    await addTask(tx, { tenantId: ctx.principal.tenant.id, collectionId, task: 'tend', entryId: '' });
  });
}

/**
 * Documents as an index of this format takes them: the first one finds all that it holds, so it holds what is
 * published alone.
 */
function inFormat(
  format: number,
  { documents, removed }: ContentDocuments,
): { documents: IndexDocument[]; removed: string[] } {
  if (format >= indexFormat) return { documents, removed };
  const published = documents.map(({ views, ...document }) => ({
    ...document,
    views: views.filter(({ statuses }) => statuses.includes('published')),
  }));
  return {
    documents: published.filter(({ views }) => views.length > 0),
    removed: [...removed, ...published.filter(({ views }) => views.length === 0).map(({ id }) => id)],
  };
}
