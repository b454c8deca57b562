import { SearchEngineUnavailable } from '../port/search-engine-errors.js';
import type { SearchEngine, SearchSite } from '../port/search-engine.js';
import { IndexUids, createMeiliClient, type MeilisearchOptions } from './meili-access.js';
import { readIndexStates } from './meili-states.js';
import { MeilisearchIndexes } from './meilisearch-indexes.js';

/**
 * The scaled-out engine: indexes on a Meilisearch server, with separate names for each tenant. It connects on first
 * use.
 */
export function meilisearchEngine(options: MeilisearchOptions): SearchEngine {
  const client = createMeiliClient(options);
  return {
    kind: 'meilisearch',
    of: ({ tenantId, db }: SearchSite) =>
      new MeilisearchIndexes({ client, uids: new IndexUids(options.namespace, tenantId) }, db),
    readStates: () => readIndexStates(client, options.namespace),
    async ping() {
      // Health needs no key: only another request shows whether the key is valid.
      await client.getVersion().catch((error: unknown) => {
        throw new SearchEngineUnavailable(error);
      });
    },
    close: () => Promise.resolve(),
  };
}
