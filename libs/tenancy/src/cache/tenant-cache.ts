import { dropReasonOf, observeCache } from '@quire/observability';
import { LRUCache } from 'lru-cache';

export interface TenantCacheOptions<Value> {
  /** Name in the metrics: `definitions`. */
  name: string;
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
  /** Set for a load that has failed, or whose value must not be cached: its removal is no drop. */
  isNotCached?: true;
}

/**
 * A bounded cache of values by tenant and key, for invalidation by `CacheInvalidationBus`. Concurrent reads share one
 * load. Failed loads are not cached. A load that an invalidation overtakes serves the callers that wait for it and is
 * not cached.
 */
export class TenantCache<Value> {
  /** Holds loads from their start: an invalidation removes a load in progress like a loaded value. */
  private readonly loads: LRUCache<string, Load<Value>>;
  /** The ids of loads by tenant: an invalidation of one tenant reads no loads of the others. */
  private readonly idsByTenant = new Map<string, Set<string>>();
  private readonly maxAgeMsOf: TenantCacheOptions<Value>['maxAgeMsOf'];

  constructor({ name, max, maxAgeMsOf }: TenantCacheOptions<Value>) {
    this.loads = new LRUCache({
      max,
      perf: Date,
      dispose: (load, id, reason) => {
        const dropped = dropReasonOf(reason);
        if (!dropped) return;
        this.removeId(id);
        if (!load.isNotCached) countDrop(dropped);
      },
    });
    const countDrop = observeCache(name, this.loads);
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
    this.addId(tenantId, id);
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
    if (key === undefined) for (const id of this.idsOf(tenantId)) this.loads.delete(id);
    else this.loads.delete(prefixOf(tenantId) + key);
  }

  /** Removes the values of a tenant that meet a condition, and its loads in progress, whose values are unknown. */
  invalidateWhere(tenantId: string, isOutdated: (value: Value) => boolean): void {
    for (const id of this.idsOf(tenantId)) {
      const result = this.loads.peek(id)?.result;
      if (!result || isOutdated(result.value)) this.loads.delete(id);
    }
  }

  /** A copy: deletions change the set. */
  private idsOf(tenantId: string): string[] {
    return [...(this.idsByTenant.get(tenantId) ?? [])];
  }

  private addId(tenantId: string, id: string): void {
    const ids = this.idsByTenant.get(tenantId);
    if (ids) ids.add(id);
    else this.idsByTenant.set(tenantId, new Set([id]));
  }

  private removeId(id: string): void {
    const tenantId = id.slice(0, id.indexOf('/'));
    const ids = this.idsByTenant.get(tenantId);
    ids?.delete(id);
    if (ids?.size === 0) this.idsByTenant.delete(tenantId);
  }

  private limitAge(id: string, loading: Load<Value>, maxAgeMs = Infinity): void {
    // Another load has the key if this one was invalidated or evicted.
    if (maxAgeMs === Infinity || this.loads.peek(id) !== loading) return;
    if (maxAgeMs > 0) {
      this.loads.set(id, loading, { ttl: Math.ceil(maxAgeMs) });
      return;
    }
    loading.isNotCached = true;
    this.loads.delete(id);
  }
}

/** Ids of tenants contain no slash. */
const prefixOf = (tenantId: string) => `${tenantId}/`;
