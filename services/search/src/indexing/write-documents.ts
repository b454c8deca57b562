import type { Context } from '@quire/context';
import { indexFormat, SearchEngineUnavailable, type IndexDocument } from '@quire/search-engine';
import { hasUniformFields, toSearchIndex, setMixed, type GenerationRow } from '../collections/index.js';
import type { ContentDocuments } from '../clients/index.js';
import type { SearchDeps } from '../search-deps.js';
import { enqueueReconciliation } from '../tasks/index.js';

const maxAttempts = 5;

/**
 * Puts what content said into a generation of an index, and takes out what cannot be found any more. Entries
 * of which something newer arrived meanwhile are asked for again, and so are those that were too much at
 * once.
 * @throws SearchIndexMissing, SearchEngineUnavailable
 */
export async function writeDocuments(
  ctx: Context,
  deps: SearchDeps,
  collectionId: string,
  generation: GenerationRow,
  answer: ContentDocuments,
): Promise<void> {
  const site = deps.indexesOf(ctx);
  const index = toSearchIndex(collectionId, generation);
  let current = answer;
  for (let attempt = 1; attempt <= maxAttempts;) {
    await markMixedIfFieldsDiffer(ctx, collectionId, generation, current);
    const { documents, removed } = inFormat(generation.format, current);
    const { left, version } = current;
    const superseded: string[] = [];
    if (documents.length > 0) superseded.push(...(await site.put(index, documents)).superseded);
    if (removed.length > 0) {
      const gone = removed.map((id) => ({ id, version }));
      superseded.push(...(await site.remove(index, gone)).superseded);
    }
    const again = [...superseded, ...left];
    if (again.length === 0) return;
    if (superseded.length > 0) attempt += 1;
    current = await deps.content.documents(ctx, answer.collection.slug, again);
  }
  throw new SearchEngineUnavailable(new Error('Entries change faster than they can be indexed'));
}

/**
 * Before texts of other fields than a generation was begun with get into it, its row says so, and the next
 * one is due. Without that a field that is made searchable and taken back would leave its text behind: the
 * message of the second change finds an index of the fields that are wanted.
 */
async function markMixedIfFieldsDiffer(
  ctx: Context,
  collectionId: string,
  generation: GenerationRow,
  { collection, documents }: ContentDocuments,
): Promise<void> {
  if (documents.length === 0 || !hasUniformFields(generation)) return;
  if (collection.fingerprint === generation.fingerprint) return;
  await ctx.db.transaction(async (tx) => {
    await setMixed(tx, collectionId, generation.generation);
    await enqueueReconciliation(tx, ctx.principal.tenant, collectionId);
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
