import type { Queryable, TransactionalDatabase } from '@quire/database';
import type { IndexDocument, RemovedDocument, SearchIndex, SearchStatus } from './search-index.js';
import type { SearchPage, SearchRequest, SuggestRequest, Suggestion } from './search-request.js';

/**
 * The store of full-text indexes (design 1): PostgreSQL or Meilisearch, with the same results.
 *
 * Every method throws SearchEngineUnavailable when the engine (or, for either engine, the tenant's database) is down,
 * slow or rejects a request; a request never waits for longer than some seconds.
 */
export interface SearchEngine {
  readonly kind: 'postgres' | 'meilisearch';
  /** The indexes of one tenant. Costs nothing: create one for each request or job. */
  of(site: SearchSite): SiteIndexes;
  /**
   * Reads the states of the indexes of all sites, with a number of requests that does not depend on the number of sites
   * and indexes.
   * @param db a database of the service: of the sites in it all states are read
   */
  readStates(db: Queryable): Promise<IndexStates>;
  /** @throws SearchEngineUnavailable when the engine does not respond */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The states of indexes at the time of a request. */
export interface IndexStates {
  /**
   * The state of the indexes of a collection, all generations: a text that remains the same while the indexes do. It
   * differs some seconds after the engine has created, changed, lost or dropped an index, or lost some of its
   * documents, and on Meilisearch after an accepted write has failed. It may differ without a reason. A loss of as many
   * documents as were added since leaves it the same on Meilisearch. Empty for a collection without an index.
   */
  of(tenantId: string, collectionId: string): string;
}

export interface SearchSite {
  tenantId: string;
  /**
   * The tenant's schema in the search service's database (`ctx.db`). With PostgreSQL it has the indexes; with
   * Meilisearch it has the version of each document that was put or removed, one small row each.
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
  /** Creates an empty index. An existing one stays unchanged, with its documents. */
  create(index: SearchIndex): Promise<void>;

  /**
   * Adds or replaces documents, at most `searchLimits.documentsPerBatch`; an id may occur once in a batch. A document
   * replaces one of the same version or an older one; after a newer version was put or removed it is ignored: repeated
   * and late calls are harmless. When it returns, the engine has accepted the documents durably and will show them
   * soon; `settle` waits for that.
   * @returns ids whose newer version was put or removed concurrently, so that either may have come last: read their
   *   present state and put (or remove) it again. Always empty on PostgreSQL.
   * @throws SearchIndexMissing; RangeError for a batch that is too large
   */
  put(index: SearchIndex, documents: readonly IndexDocument[]): Promise<SupersededIds>;

  /**
   * Removes documents. Unknown ones are recorded as well, so that an older version that arrives later does not restore
   * them. The same limits, results and errors as `put`. A permanently deleted entry is removed with `lastVersion`.
   */
  remove(index: SearchIndex, documents: readonly RemovedDocument[]): Promise<SupersededIds>;

  /**
   * Waits until the engine has executed the writes that it accepted before the call, or failed to (see `hasFailed`).
   * Returns immediately on PostgreSQL.
   * @returns false when the engine did not finish within `timeoutMs` (default: 30 s)
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
   * Whether the engine has the index and as many documents in it as were put. False after a loss of all or some of its
   * data: then it has to be rebuilt. Accepted documents that searches do not find yet are no loss.
   */
  isIntact(index: SearchIndex): Promise<boolean>;
  /** Whether a write that the engine accepted for this index has failed: then the next generation has to be built. */
  hasFailed(index: SearchIndex): Promise<boolean>;
  /** Documents that searches of this index can find in a status. @throws SearchIndexMissing */
  count(index: SearchIndex, status: SearchStatus): Promise<number>;

  /**
   * The best hits of several collections' live generations, in order of relevance, best first; scores of different
   * collections are comparable. A document matches when its fields together have all the words of the text; when no
   * document has all, those with most of them match, as far as the engine looks (`searchLimits.maxHits` documents a
   * word). Words in quotation marks match as a phrase; the last word also matches as a prefix, unless it is in
   * quotation marks. The text has no other syntax, and every text is valid: one without a word matches nothing.
   * @throws SearchIndexMissing naming the index
   */
  search(request: SearchRequest): Promise<SearchPage>;

  /**
   * Documents whose title begins with the text, ignoring case and diacritics: by title, then id.
   * @throws SearchIndexMissing
   */
  suggest(request: SuggestRequest): Promise<Suggestion[]>;
}

export interface SupersededIds {
  superseded: string[];
}
