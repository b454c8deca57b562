import type { SearchEngine, SearchSite, SiteIndexes } from '../port/search-engine.js';
import { PostgresIndexes } from './postgres-indexes.js';

/**
 * The embedded default: a table for each index, in the tenant's schema of the search service. It has no connections:
 * the service's database has its own readiness check, so `ping` checks nothing.
 */
export function postgresEngine(): SearchEngine {
  return {
    kind: 'postgres',
    of: ({ db }: SearchSite): SiteIndexes => new PostgresIndexes(db),
    ping: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
