import { ConfigurationError } from './load-environment.js';
import type { Environment } from './variables.js';

/** How to reach the search engine of an installation. */
export interface MeilisearchSettings {
  url: string;
  key: string;
}

/**
 * The Meilisearch server that the environment names; undefined when it names none.
 * @throws ConfigurationError when it names one by half
 */
export function meilisearchSettings(environment: Environment): MeilisearchSettings | undefined {
  const { MEILISEARCH_URL: url, MEILISEARCH_KEY: key } = environment;
  if (url === undefined && key === undefined) return undefined;
  if (url === undefined || key === undefined)
    throw new ConfigurationError(
      `${url === undefined ? 'MEILISEARCH_URL' : 'MEILISEARCH_KEY'} is not set: search with Meilisearch needs MEILISEARCH_URL and MEILISEARCH_KEY`,
    );
  return { url, key };
}
