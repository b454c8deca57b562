import { LRUCache } from 'lru-cache';

export interface TenantCacheOptions<Value> {
  /** Number of cached values of all tenants. The least recently used ones are evicted. */
  max: number;
  /**
   * Milliseconds for which a loaded value may be cached; 0 or less for a value that must not be cached. The default is
   * no limit.
   */
  maxAgeMsOf?: (value: Value) => number;
}

interface Load<Value> {
  promise: Promise<Value>;
  /** Absent while the load is in progress. */
  result?: { value: Value };
}

/**
 * A bounded cache of values by tenant and key, for invalidation by `CacheInvalidationBus`. Concurrent reads share one
 * load. Failed loads are not cached. A load that an invalidation overtakes serves the callers that wait for it and is
 * not cached.
 */
export class TenantCache<Value> {
  /** Holds loads from their start: an invalidation removes a load in progress like a loaded value. */
  private readonly loads: LRUCache<string, Load<Value>>;
  private readonly maxAgeMsOf: TenantCacheOptions<Value>['maxAgeMsOf'];

  constructor({ max, maxAgeMsOf }: TenantCacheOptions<Value>) {
    this.loads = new LRUCache({ max, perf: Date });
    this.maxAgeMsOf = maxAgeMsOf;
  }

  /**
   * The value of a key; loads it unless it is cached or being loaded.
   * @param load rejects for a value that does not exist
   * @throws the error of `load`.
   */
  get(tenantId: string, key: string, load: () => Promise<Value>): Promise<Value> {
    const id = prefixOf(tenantId) + key;
    const cached = this.loads.get(id);
    if (cached) return cached.promise;
    const loading: Load<Value> = { promise: load() };
    this.loads.set(id, loading);
    loading.promise.then(
      (value) => {
        loading.result = { value };
        this.limitAge(id, loading, this.maxAgeMsOf?.(value));
      },
      () => this.limitAge(id, loading, 0),
    );
    return loading.promise;
  }

  /** Removes one key of a tenant, all keys of a tenant, or everything. */
  invalidate(tenantId?: string, key?: string): void {
    if (tenantId === undefined) {
      this.loads.clear();
      return;
    }
    const prefix = prefixOf(tenantId);
    if (key !== undefined) {
      this.loads.delete(prefix + key);
      return;
    }
    for (const id of [...this.loads.keys()]) if (id.startsWith(prefix)) this.loads.delete(id);
  }

  /** Removes the values of a tenant that meet a condition, and its loads in progress, whose values are unknown. */
  invalidateWhere(tenantId: string, isOutdated: (value: Value) => boolean): void {
    const prefix = prefixOf(tenantId);
    for (const [id, { result }] of [...this.loads.entries()])
      if (id.startsWith(prefix) && (!result || isOutdated(result.value))) this.loads.delete(id);
  }

  private limitAge(id: string, loading: Load<Value>, maxAgeMs = Infinity): void {
    // Another load has the key if this one was invalidated or evicted.
    if (maxAgeMs === Infinity || this.loads.peek(id) !== loading) return;
    if (maxAgeMs > 0) this.loads.set(id, loading, { ttl: Math.ceil(maxAgeMs) });
    else this.loads.delete(id);
  }
}

/** Ids of tenants contain no slash. */
const prefixOf = (tenantId: string) => `${tenantId}/`;
