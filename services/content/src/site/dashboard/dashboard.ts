import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import type { Tenant } from '@quire/tenancy';
import { schedulerHealth, type SchedulerHealth } from '../../entries/scheduling/index.js';
import { countEntries, type EntryCounts, type VisibleCollection } from './dashboard.repository.js';

/** What the dashboard of a site reads from the tables of content. */
export class Dashboard {
  /** @param sharedDatabase the service's shared schema in a site's database */
  constructor(private readonly sharedDatabase: (tenant: Tenant) => Queryable) {}

  /** The health of scheduled publishing for a site. */
  schedulerHealth({ principal }: Context): Promise<SchedulerHealth> {
    return schedulerHealth(this.sharedDatabase(principal.tenant));
  }

  /** The counts of each collection by slug. */
  counts({ db }: Context, collections: readonly VisibleCollection[]): Promise<Map<string, EntryCounts>> {
    return countEntries(db, collections);
  }
}
