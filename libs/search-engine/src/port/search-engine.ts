import type { TransactionalDatabase } from '@quire/database';
import type { IndexDocument, RemovedDocument, SearchIndex, SearchStatus } from './search-index.js';
import type { SearchPage, SearchRequest, SuggestRequest, Suggestion } from './search-request.js';

/**
 * Where full-text indexes are (design 1): PostgreSQL or Meilisearch, which answer alike.
 *
 * Every method throws SearchEngineUnavailable when the engine (or, for either engine, the tenant's database) is down,
 * slow or refuses; a request never waits for longer than some seconds.
 */
export interface SearchEngine {
  readonly kind: 'postgres' | 'meilisearch';
  /** The indexes of one tenant. Costs nothing: make one for each request or job. */
  of(site: SearchSite): SiteIndexes;
  /** @throws SearchEngineUnavailable when the engine does not answer */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface SearchSite {
  tenantId: string;
  /**
   * The tenant's schema in the search service's database (`ctx.db`). PostgreSQL keeps the indexes there; with
   * Meilisearch it holds the versions of what was put and removed, a small row a document.
   */
  db: TransactionalDatabase;
}

/**
 * The indexes of one tenant. A row of the service determines which generation of a collection is live; this library
 * does not know it. A rebuild has these steps: `create` generation 2, `put` all documents in it (and each later change
 * in both), `settle` it, write the row, `drop` generation 1. A search of the dropped one gets SearchIndexMissing; the
 * service reads the row and searches again.
 */
export interface SiteIndexes {
  /** Makes an empty index. One that is there stays as it is, with its documents. */
  create(index: SearchIndex): Promise<void>;

  /**
   * Adds or replaces documents, at most `searchLimits.documentsPerBatch`; an id comes once in a batch. A document
   * replaces one of the same version or an older one; where a newer version was put or removed before, nothing happens:
   * so repeats and late arrivals are harmless. When it returns, the engine has accepted the documents for good and will
   * show them soon, which `settle` waits for.
   * @returns ids whose newer version was put or removed while this one was on its way, so that either may have come
   *   last: ask for their present state and put (or remove) it again. Always none on PostgreSQL.
   * @throws SearchIndexMissing; RangeError for a batch that is too large
   */
  put(index: SearchIndex, documents: readonly IndexDocument[]): Promise<SupersededIds>;

  /**
   * Removes documents; those that were never there are remembered as well, so that an older version that arrives later
   * does not bring them back. The same bounds, results and errors as `put`. An entry that is deleted for good is
   * removed with `lastVersion`.
   */
  remove(index: SearchIndex, documents: readonly RemovedDocument[]): Promise<SupersededIds>;

  /**
   * Waits until the engine has done what it accepted before the call, or failed to (see `hasFailed`). At once on
   * PostgreSQL.
   * @returns false when the engine did not get to it in `timeoutMs` (30 s unless told)
   * @throws SearchIndexMissing
   */
  settle(index: SearchIndex, options?: { timeoutMs?: number }): Promise<boolean>;

  /**
   * Deletes one generation with its documents, and returns when searches do not find it any more; no error when there
   * is none.
   */
  drop(index: Pick<SearchIndex, 'collectionId' | 'generation'>): Promise<void>;
  /** Deletes all generations of a collection. */
  dropCollection(collectionId: string): Promise<void>;
  /** Deletes everything of the tenant in the engine. */
  dropAll(): Promise<void>;

  /**
   * Whether the engine has the index and as many documents in it as were put. False after its data was lost or went
   * partly missing: then it has to be built again. Accepted documents that do not show yet are no loss.
   */
  isIntact(index: SearchIndex): Promise<boolean>;
  /**
   * Whether the engine failed to do something that it had accepted for this index: then the next generation has to be
   * built.
   */
  hasFailed(index: SearchIndex): Promise<boolean>;
  /** Documents that searches of this index can find in a status. @throws SearchIndexMissing */
  count(index: SearchIndex, status: SearchStatus): Promise<number>;

  /**
   * The best hits of several collections' live generations, in order of relevance, best first; scores of different
   * collections compare. A document matches when it has all the words of the text, in whatever fields; when no document
   * has all, those that have most of them match, as far as the engine looks (`searchLimits.maxHits` documents a word).
   * Words in quotation marks match where they follow each other; the last word matches as the beginning of a word too,
   * unless it is in quotation marks. The text is never an expression, and none is refused: one without a word matches
   * nothing.
   * @throws SearchIndexMissing naming the index
   */
  search(request: SearchRequest): Promise<SearchPage>;

  /**
   * Documents whose title begins with the text, whatever its case and diacritics: by title, then id.
   * @throws SearchIndexMissing
   */
  suggest(request: SuggestRequest): Promise<Suggestion[]>;
}

export interface SupersededIds {
  superseded: string[];
}
