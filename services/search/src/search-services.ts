import type { Context } from '@quire/context';
import type { SearchEngine, SiteIndexes } from '@quire/search-engine';
import type { SiteContent } from './content/index.js';

/** What the operations and the worker need beside the data of the tenant. */
export class SearchServices {
  constructor(
    private readonly engine: SearchEngine,
    readonly content: SiteContent,
  ) {}

  /** The indexes of the context's site. */
  indexesOf(ctx: Context): SiteIndexes {
    return this.engine.of({ tenantId: ctx.principal.tenant.id, db: ctx.db });
  }
}
