import { LRUCache } from 'lru-cache';

/** `evicted`: for lack of room. `expired`: at its age limit. `invalidated`: after a change. */
const dropReasons = ['evicted', 'expired', 'invalidated'] as const;

/** Why a cache drops a value. A value that another one replaces is not dropped. */
export type DropReason = (typeof dropReasons)[number];

interface Sized {
  /** Number of values. */
  readonly size: number;
}

/** The caches of one name, of which a process may have several. */
interface CacheGroup {
  caches: Set<WeakRef<Sized>>;
  drops: Record<DropReason, number>;
}

/** The caches of the process, which has one of each name for all that it runs. */
const groups = new Map<string, CacheGroup>();

/**
 * Makes the metrics of the process have a cache, until it is garbage.
 * @param name value of the label `cache`: caches of one name count as one
 * @returns counts a dropped value
 */
export function observeCache(name: string, cache: Sized): (reason: DropReason) => void {
  const group = groups.get(name) ?? { caches: new Set(), drops: { evicted: 0, expired: 0, invalidated: 0 } };
  groups.set(name, group);
  group.caches.add(new WeakRef(cache));
  return (reason) => {
    group.drops[reason] += 1;
  };
}

/** A cache that the metrics of the process have. @param name see `observeCache` */
export function createCache<Value extends object | string | boolean>(
  name: string,
  options: LRUCache.Options<string, Value, unknown>,
): LRUCache<string, Value> {
  const cache = new LRUCache<string, Value>({
    ...options,
    dispose: (_value, _key, reason) => {
      const dropped = dropReasonOf(reason);
      if (dropped) countDrop(dropped);
    },
  });
  const countDrop = observeCache(name, cache);
  return cache;
}

/** @returns undefined for a value that was replaced */
export function dropReasonOf(reason: LRUCache.DisposeReason): DropReason | undefined {
  switch (reason) {
    case 'evict':
      return 'evicted';
    case 'expire':
      return 'expired';
    case 'delete':
      return 'invalidated';
    default:
      return undefined;
  }
}

/** Numbers of values by cache. */
export function cacheEntries(): [name: string, entries: number][] {
  return [...groups].map(([name, { caches }]) => {
    let entries = 0;
    for (const reference of caches) {
      const cache = reference.deref();
      if (cache) entries += cache.size;
      else caches.delete(reference);
    }
    return [name, entries];
  });
}

/** Numbers of dropped values by cache and reason, since the start of the process. */
export function cacheDrops(): [name: string, reason: DropReason, drops: number][] {
  return [...groups].flatMap(([name, { drops }]) =>
    dropReasons.map((reason) => [name, reason, drops[reason]] as [string, DropReason, number]),
  );
}
