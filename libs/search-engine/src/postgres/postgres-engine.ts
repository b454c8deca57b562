import type { SearchEngine, SearchSite, SiteIndexes } from '../port/search-engine.js';
import { PostgresIndexes } from './postgres-indexes.js';

/**
 * The embedded default: a table an index, in the tenant's schema of the search service. It has no connection of its
 * own, so that whether it can be reached is known where the service's database is watched: `ping` has nothing to ask.
 */
export function postgresEngine(): SearchEngine {
  return {
    kind: 'postgres',
    of: ({ db }: SearchSite): SiteIndexes => new PostgresIndexes(db),
    ping: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
