import type { Principal } from '@quire/context';
import { LRUCache } from 'lru-cache';

const maxAgeMs = 60_000;
const defaultMaxPrincipals = 20_000;

/** Principals of credentials, for a minute at most. A full cache evicts the least recently used one. */
export class PrincipalCache {
  private readonly principals: LRUCache<string, Principal>;
  /** Number of invalidations. A principal whose load spans one is not stored. */
  private generation = 0;

  constructor(max = defaultMaxPrincipals) {
    this.principals = new LRUCache({ max, ttl: maxAgeMs, perf: Date });
  }

  get(tenantId: string, credential: string): Principal | undefined {
    return this.principals.get(`${tenantId}:${credential}`);
  }

  /**
   * Starts the load of a principal.
   * @returns stores the loaded principal until the expiry of its credential (ISO time; null: none), unless principals
   *   were invalidated during the load
   */
  startLoad(tenantId: string, credential: string): (principal: Principal, expiresAt?: string | null) => void {
    const { generation } = this;
    return (principal, expiresAt = null) => {
      const ttl = expiresAt === null ? maxAgeMs : Math.min(maxAgeMs, Date.parse(expiresAt) - Date.now());
      // A ttl of 0 would mean no limit.
      if (generation === this.generation && ttl > 0)
        this.principals.set(`${tenantId}:${credential}`, principal, { ttl });
    };
  }

  /** Invalidates the principals of one tenant, or of all. */
  invalidate(tenantId?: string): void {
    this.generation += 1;
    if (tenantId === undefined) return this.principals.clear();
    for (const key of [...this.principals.keys()])
      if (key.startsWith(`${tenantId}:`)) this.principals.delete(key);
  }
}
