import { meilisearchEngine } from './meilisearch/meilisearch-engine.js';
import { postgresEngine } from './postgres/postgres-engine.js';
import type { SearchEngine } from './port/search-engine.js';

export interface SearchEngineOptions {
  /** The Meilisearch server, where one is configured; else the service's database does it. */
  meilisearch: { url: string; key: string } | undefined;
  /** Keeps installations (and test runs) that share a server apart: lower-case letters, digits and `_`. */
  namespace: string;
}

/** Opens the search engine of this installation. A server is asked when it is first needed. */
export function connectSearchEngine({ meilisearch, namespace }: SearchEngineOptions): SearchEngine {
  return meilisearch ? meilisearchEngine({ ...meilisearch, namespace }) : postgresEngine();
}
