import type { Context } from '@quire/context';
import { indexFormat, SearchEngineUnavailable, type IndexDocument } from '@quire/search-engine';
import { hasUniformFields, toSearchIndex, setMixed, type GenerationRow } from '../collections/index.js';
import type { ContentDocuments } from '../clients/index.js';
import type { SearchDeps } from '../search-deps.js';
import { enqueueReconciliation } from '../tasks/index.js';

const maxAttempts = 5;

/**
 * Writes a response of content into a generation of an index, and deletes entries that are not searchable any more.
 * Entries are requested again if the index has a newer version, or if they exceeded the size of the response.
 * @throws SearchIndexMissing, SearchEngineUnavailable
 */
export async function writeDocuments(
  ctx: Context,
  deps: SearchDeps,
  collectionId: string,
  generation: GenerationRow,
  response: ContentDocuments,
): Promise<void> {
  const site = deps.indexesOf(ctx);
  const index = toSearchIndex(collectionId, generation);
  let current = response;
  for (let attempt = 1; attempt <= maxAttempts;) {
    await markMixedIfFieldsDiffer(ctx, collectionId, generation, current);
    const { documents, removed } = inFormat(generation.format, current);
    const { left, version } = current;
    const superseded: string[] = [];
    if (documents.length > 0) superseded.push(...(await site.put(index, documents)).superseded);
    if (removed.length > 0) {
      const deletions = removed.map((id) => ({ id, version }));
      superseded.push(...(await site.remove(index, deletions)).superseded);
    }
    const again = [...superseded, ...left];
    if (again.length === 0) return;
    if (superseded.length > 0) attempt += 1;
    current = await deps.content.documents(ctx, response.collection.slug, again);
  }
  throw new SearchEngineUnavailable(new Error('Entries change faster than they can be indexed'));
}

/**
 * Marks a generation as mixed and schedules a rebuild before it receives texts of other fields than at its start.
 * Otherwise texts of a field that is made searchable and then excluded again would stay in the index: the message of
 * the second change finds an index with the desired spec.
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
 * Converts documents to the format of an index. An index of the first format has no statuses, so it gets only published
 * texts.
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
