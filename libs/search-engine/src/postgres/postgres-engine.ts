import { tenantSchema } from '@quire/tenancy';
import { indexStates } from '../port/index-states.js';
import type { SearchEngine, SearchSite, SiteIndexes } from '../port/search-engine.js';
import { mapDatabaseErrors, selectTableStates } from '../tables/index-tables.js';
import { PostgresIndexes } from './postgres-indexes.js';

/**
 * The embedded default: a table for each index, in the tenant's schema of the search service. It has no connections:
 * the service's database has its own readiness check, so `ping` checks nothing.
 */
export function postgresEngine(): SearchEngine {
  return {
    kind: 'postgres',
    of: ({ db }: SearchSite): SiteIndexes => new PostgresIndexes(db),
    async readStates(db) {
      const tables = await mapDatabaseErrors(() => selectTableStates(db, 'index'));
      const keyOf = (schema: string, collectionId: string) => `${schema}/${collectionId}`;
      return indexStates(
        tables.map((table) => ({ ...table, collection: keyOf(table.schema, table.collectionId) })),
        (id, collectionId) => keyOf(tenantSchema({ id }), collectionId),
      );
    },
    ping: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
