import { ConfigurationError } from './configuration-error.js';
import type { Environment } from './variables.js';

/** Address and key of the search engine of an installation. */
export interface MeilisearchSettings {
  url: string;
  key: string;
}

/**
 * Returns the configured Meilisearch server; undefined without one.
 * @throws ConfigurationError when only one of the variables is set
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
