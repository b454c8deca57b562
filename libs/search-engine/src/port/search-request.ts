import type { SearchIndex, SearchStatus } from './search-index.js';

export interface SearchRequest {
  /** The user's input. */
  text: string;
  /** Live generations to search, each collection once, at most `searchLimits.collectionsPerSearch`. None: no hits. */
  indexes: readonly SearchIndex[];
  /** The service checks that the caller may read the status. */
  status: SearchStatus;
  /** Only entries in this locale, ignoring case. */
  locale?: string;
  limit: number;
  offset: number;
}

export interface SearchPage {
  hits: SearchHit[];
  /** Whether a request with `offset + limit` as its offset has hits. */
  hasMore: boolean;
}

export interface SearchHit {
  collectionId: string;
  id: string;
  slug: string | null;
  locale: string;
  title: string | null;
  /**
   * A fragment of the text around matches, safe for HTML: escaped, with `<mark>` around matches as the only tag. From
   * the best matching field, else the title; undefined without either.
   */
  snippet: string | undefined;
  /** Above 0, at most 1; not smaller than that of the next hit. The two engines give different numbers. */
  score: number;
}

/** Suggestions contain only published titles. */
export interface SuggestRequest {
  /** Prefix of a title. One without a letter or digit matches nothing. */
  text: string;
  indexes: readonly SearchIndex[];
  locale?: string;
  limit: number;
}

export interface Suggestion {
  collectionId: string;
  id: string;
  slug: string | null;
  title: string;
}
