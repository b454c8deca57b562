import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import type { Tenant } from '@quire/tenancy';
import { schedulerHealth, type SchedulerHealth } from '../../entries/scheduling/index.js';
import { countEntries, type EntryCounts, type VisibleCollection } from './dashboard.repository.js';

/** Counting that takes no longer than this is done each time. */
const fastQueryMs = 500;
/** What took longer is cached for so many times as long: counting takes a tenth of one connection at most. */
const cacheFactor = 10;

type Counts = ReadonlyMap<string, EntryCounts>;

/**
 * The counts of sites as this process knows them. On a site with so many entries that counting takes long,
 * those who come meanwhile wait for the same answer, and it is cached for a while: it may be some seconds old
 * there.
 */
export class Dashboard {
  private readonly counting = new Map<string, { counts: Promise<Counts>; startedAt: number }>();
  private readonly cachedCounts = new Map<string, { counts: Counts; until: number }>();

  /** @param sharedDatabase what the service keeps across the sites of a site's database */
  constructor(private readonly sharedDatabase: (tenant: Tenant) => Queryable) {}

  /** Whether scheduled publications of a site are seen to. */
  schedulerHealth({ principal }: Context): Promise<SchedulerHealth> {
    return schedulerHealth(this.sharedDatabase(principal.tenant));
  }

  /** The counts of each collection by slug; one that was made since they were counted is missing. */
  async counts(ctx: Context, collections: readonly VisibleCollection[]): Promise<Counts> {
    const { id } = ctx.principal.tenant;
    const known = this.cachedCounts.get(id);
    if (known && known.until > Date.now()) return known.counts;
    this.cachedCounts.delete(id);
    const running = this.counting.get(id);
    if (running && Date.now() - running.startedAt > fastQueryMs) return running.counts;
    const startedAt = Date.now();
    const counts = countEntries(ctx.db, collections);
    const one = { counts, startedAt };
    this.counting.set(id, one);
    try {
      const counted = await counts;
      const tookMs = Date.now() - startedAt;
      if (tookMs > fastQueryMs)
        this.cachedCounts.set(id, { counts: counted, until: Date.now() + cacheFactor * tookMs });
      return counted;
    } finally {
      if (this.counting.get(id) === one) this.counting.delete(id);
    }
  }
}
