import type { SearchIndex, SearchStatus } from './search-index.js';

export interface SearchRequest {
  /** What the user typed. */
  text: string;
  /** Live generations to search, each collection once, at most `searchLimits.collectionsPerSearch`. None: no hits. */
  indexes: readonly SearchIndex[];
  /** Whether the caller may find what is not published is the service's to know. */
  status: SearchStatus;
  /** Only entries in this locale, whatever the case it is written in. */
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
   * A fragment of the text around matches, safe to put in a page: HTML-escaped, with `<mark>` around what matches as
   * the only tag. From the field that matches best, else the title; undefined when there is nothing to show.
   */
  snippet: string | undefined;
  /** Above 0, at most 1; not smaller than that of the hit after it. The two engines give different numbers. */
  score: number;
}

/** Suggestions are of published titles alone. */
export interface SuggestRequest {
  /** Beginning of a title. One without a letter or digit matches nothing. */
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
