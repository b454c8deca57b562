import type { Context } from '@quire/context';
import { WriteBuffer } from '../write-buffer/index.js';

interface Hits {
  count: number;
  lastAt: string;
}

const maxPendingRules = 20_000;

/**
 * Counts how often rules are hit. A hit is no write: it is counted in the memory of this process, and the counts of a
 * tenant are added in one statement every few seconds and when the process stops. A process that is killed loses the
 * hits of the last seconds; nothing but the numbers shown depends on them.
 */
export class HitCounter {
  private readonly hits = new WriteBuffer<Hits>({
    merge: (one, other) => ({
      count: one.count + other.count,
      lastAt: one.lastAt > other.lastAt ? one.lastAt : other.lastAt,
    }),
    write: async ({ db }, hits) => {
      const ids = [...hits.keys()];
      const values = [...hits.values()];
      // Rows are locked in the order of their ids, so that two processes that count the same rules wait for each other.
      await db.query(
        `WITH counted AS (
           SELECT * FROM unnest($1::text[], $2::bigint[], $3::timestamptz[]) AS counted (id, count, last_at)
         ), locked AS (
           SELECT id FROM redirects WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE
         )
         UPDATE redirects r SET hits = r.hits + counted.count, last_hit_at = greatest(r.last_hit_at, counted.last_at)
         FROM locked JOIN counted USING (id) WHERE r.id = locked.id`,
        [ids, values.map(({ count }) => count), values.map(({ lastAt }) => lastAt)],
      );
    },
    maxPerTenant: maxPendingRules,
    maxTotal: maxPendingRules,
  });

  count(ctx: Context, redirectId: string): void {
    this.hits.add(ctx, redirectId, { count: 1, lastAt: new Date().toISOString() });
  }

  /** @throws the failure, when some counts could not be written and wait. */
  flush(): Promise<void> {
    return this.hits.flush();
  }
}
