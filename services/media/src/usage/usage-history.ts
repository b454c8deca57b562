import type { Context } from '@quire/context';
import { isCovered, isInTrouble } from './coverage-status.js';
import { repairCollection } from './operations/repair-collection.js';
import { selectCoverage } from './usage-coverage.repository.js';
import type { UsageServices } from './usage-services.js';

/** How much of a site's index there is. `needs_attention`: only what has failed is left. */
export interface HistoryProgress {
  status: 'indexing' | 'ready' | 'needs_attention';
  readyCollections: number;
  totalCollections: number;
}

/** The index of what was written before changes were tracked, built a collection at a time (document 1, Media 9). */
export class UsageHistory {
  constructor(private readonly services: UsageServices) {}

  /** How much of it there is. @throws QuireError SERVICE_UNAVAILABLE when content cannot be asked. */
  async progress(ctx: Context): Promise<HistoryProgress> {
    const { collections, lacking, untried } = await this.survey(ctx);
    const rest = untried.length > 0 ? 'indexing' : 'needs_attention';
    return {
      status: lacking.length === 0 ? 'ready' : rest,
      readyCollections: collections.length - lacking.length,
      totalCollections: collections.length,
    };
  }

  /**
   * Indexes one collection that is not indexed yet, if there is one; those that have failed come last.
   * @throws QuireError SERVICE_UNAVAILABLE when content cannot be asked.
   */
  async advance(ctx: Context): Promise<void> {
    const { lacking, untried } = await this.survey(ctx);
    const [next] = [...untried, ...lacking];
    if (next) await repairCollection(ctx, this.services, next);
  }

  private async survey(ctx: Context) {
    const collections = await this.services.content.collections(ctx);
    const rows = await selectCoverage(ctx.db, ctx.principal.tenant);
    const rowOf = (id: string) => rows.find(({ collectionId }) => collectionId === id);
    const lacking = collections.filter(({ id }) => !isCovered(rowOf(id)));
    const untried = lacking.filter(({ id }) => !isInTrouble(rowOf(id)));
    return { collections, lacking, untried };
  }
}
