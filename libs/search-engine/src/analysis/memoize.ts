import { LRUCache } from 'lru-cache';

/** A longer text is not cached: few of them are repeated, and a client may send many. */
const maxCachedLength = 64;

/** Caches the results of a pure function of short texts. When the cache is full, the least recently used is evicted. */
export function memoize(compute: (text: string) => string, maxEntries: number): (text: string) => string {
  const results = new LRUCache<string, string>({ max: maxEntries });
  return (text) => {
    const cached = results.get(text);
    if (cached !== undefined) return cached;
    if (text.length > maxCachedLength) return compute(text);
    // A match of a pattern is a slice, which would retain the whole text that it was found in. A joined text is not.
    const key = text.split('').join('');
    const result = compute(key);
    results.set(key, result);
    return result;
  };
}
