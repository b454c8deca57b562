import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import type { IndexStates, SearchEngine, SiteIndexes } from '@quire/search-engine';
import type { ContentClient } from './clients/index.js';

/** Dependencies of the search operations and the worker. */
export class SearchDeps {
  constructor(
    private readonly engine: SearchEngine,
    readonly content: ContentClient,
  ) {}

  /** The indexes of the context's site. */
  indexesOf(ctx: Context): SiteIndexes {
    return this.engine.of({ tenantId: ctx.principal.tenant.id, db: ctx.db });
  }

  /** The states of the indexes of all sites in a database, see `SearchEngine`. @throws SearchEngineUnavailable */
  indexStates(db: Queryable): Promise<IndexStates> {
    return this.engine.readStates(db);
  }
}
