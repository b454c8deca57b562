import { meilisearchEngine } from './meilisearch/meilisearch-engine.js';
import { postgresEngine } from './postgres/postgres-engine.js';
import type { SearchEngine } from './port/search-engine.js';

export interface SearchEngineOptions {
  /** The Meilisearch server, if configured; else the engine is the service's database. */
  meilisearch: { url: string; key: string } | undefined;
  /** Separates installations (and test runs) that share a server: lower-case letters, digits and `_`. */
  namespace: string;
}

/** Opens the search engine of this installation. A server is contacted at its first use. */
export function connectSearchEngine({ meilisearch, namespace }: SearchEngineOptions): SearchEngine {
  return meilisearch ? meilisearchEngine({ ...meilisearch, namespace }) : postgresEngine();
}
