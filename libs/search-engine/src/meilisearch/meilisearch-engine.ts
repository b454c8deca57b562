import { SearchEngineUnavailable } from '../port/search-engine-errors.js';
import type { SearchEngine, SearchSite } from '../port/search-engine.js';
import { IndexUids, createMeiliClient, type MeilisearchOptions } from './meili-access.js';
import { MeilisearchIndexes } from './meilisearch-indexes.js';

/**
 * Scaled out: indexes on a Meilisearch server, each tenant's under names of its own. The server is asked when it is
 * first needed.
 */
export function meilisearchEngine(options: MeilisearchOptions): SearchEngine {
  const client = createMeiliClient(options);
  return {
    kind: 'meilisearch',
    of: ({ tenantId, db }: SearchSite) =>
      new MeilisearchIndexes({ client, uids: new IndexUids(options.namespace, tenantId) }, db),
    async ping() {
      // Health answers everyone: only what needs the key tells whether it is the right one.
      await client.getVersion().catch((error: unknown) => {
        throw new SearchEngineUnavailable(error);
      });
    },
    close: () => Promise.resolve(),
  };
}
