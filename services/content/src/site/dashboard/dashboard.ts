import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import type { Tenant } from '@quire/tenancy';
import { schedulerHealth, type SchedulerHealth } from '../../entries/scheduling/index.js';
import { countEntries, type EntryCounts, type VisibleCollection } from './dashboard.repository.js';

/** Faster counts are not cached. */
const fastQueryMs = 500;
/** A slow count is cached for its duration times this factor: counting takes a tenth of one connection at most. */
const cacheFactor = 10;

type Counts = ReadonlyMap<string, EntryCounts>;

/**
 * Counts the entries of sites and caches slow results: concurrent requests share a slow count, and its result is reused
 * for a time proportional to its duration.
 */
export class Dashboard {
  private readonly counting = new Map<string, { counts: Promise<Counts>; startedAt: number }>();
  private readonly cachedCounts = new Map<string, { counts: Counts; until: number }>();

  /** @param sharedDatabase the service's shared schema in a site's database */
  constructor(private readonly sharedDatabase: (tenant: Tenant) => Queryable) {}

  /** The health of scheduled publishing for a site. */
  schedulerHealth({ principal }: Context): Promise<SchedulerHealth> {
    return schedulerHealth(this.sharedDatabase(principal.tenant));
  }

  /** The counts of each collection by slug; collections created after the count are missing. */
  async counts(ctx: Context, collections: readonly VisibleCollection[]): Promise<Counts> {
    const { id } = ctx.principal.tenant;
    const known = this.cachedCounts.get(id);
    if (known && known.until > Date.now()) return known.counts;
    this.cachedCounts.delete(id);
    const running = this.counting.get(id);
    if (running && Date.now() - running.startedAt > fastQueryMs) return running.counts;
    const startedAt = Date.now();
    const counts = countEntries(ctx.db, collections);
    const current = { counts, startedAt };
    this.counting.set(id, current);
    try {
      const counted = await counts;
      const tookMs = Date.now() - startedAt;
      if (tookMs > fastQueryMs)
        this.cachedCounts.set(id, { counts: counted, until: Date.now() + cacheFactor * tookMs });
      return counted;
    } finally {
      if (this.counting.get(id) === current) this.counting.delete(id);
    }
  }
}
