import { observeCache } from '@quire/observability';
import { LRUCache } from 'lru-cache';

/** Memory of a value besides its own bytes and its key: objects and lists of the cache. */
const overheadBytes = 400;

export interface TenantByteCacheOptions {
  /** Name in the metrics: `responses`. */
  name: string;
  /** Bytes of all values together, with their keys. */
  maxBytes: number;
  /** A larger value is not cached. */
  maxValueBytes: number;
}

/**
 * A cache that is bounded in bytes, which sites share fairly: each may use what the others leave. When the cache is
 * full, a site that uses more than an equal share loses its least recently used values first.
 */
export class TenantByteCache<Value extends { size: number }> {
  private readonly sites = new Map<string, LRUCache<string, Value>>();
  private used = 0;
  /** The site that was last found over its share. */
  private overShare = '';
  private readonly countDrop: ReturnType<typeof observeCache>;

  constructor(private readonly options: TenantByteCacheOptions) {
    this.countDrop = observeCache(options.name, this);
  }

  /** Number of values. */
  get size(): number {
    let size = 0;
    for (const values of this.sites.values()) size += values.size;
    return size;
  }

  /** Bytes in use, with keys and overhead. */
  get bytes(): number {
    return this.used;
  }

  get(site: string, key: string): Value | undefined {
    return this.sites.get(site)?.get(key);
  }

  /** Replaces the value of a key. @param value with its size in bytes */
  set(site: string, key: string, value: Value): void {
    const size = value.size + 2 * key.length + overheadBytes;
    this.change(site, (values) => values.delete(key));
    if (size > this.options.maxValueBytes) return;
    if (!this.sites.has(site)) this.sites.set(site, this.createSite());
    this.change(site, (values) => values.set(key, value, { size }));
    while (this.used > this.options.maxBytes) this.change(this.siteOverShare(site), (values) => values.pop());
  }

  private createSite(): LRUCache<string, Value> {
    return new LRUCache({
      maxSize: this.options.maxBytes,
      dispose: (_value, _key, reason) => {
        if (reason === 'evict') this.countDrop('evicted');
      },
    });
  }

  private change(site: string, action: (values: LRUCache<string, Value>) => void): void {
    const values = this.sites.get(site);
    if (!values) return;
    this.used -= values.calculatedSize;
    action(values);
    this.used += values.calculatedSize;
    if (values.size === 0) this.sites.delete(site);
  }

  /** There is one while the cache is over its bound. The site that stores comes first. */
  private siteOverShare(storing: string): string {
    const share = this.options.maxBytes / this.sites.size;
    const isOver = (site: string) => (this.sites.get(site)?.calculatedSize ?? 0) > share;
    if (isOver(storing)) return storing;
    if (!isOver(this.overShare)) this.overShare = [...this.sites.keys()].find(isOver) ?? storing;
    return this.overShare;
  }
}
