import { LRUCache } from 'lru-cache';
import type { Context } from '@quire/context';
import type { mediaApi } from '@quire/internal-api';
import type { MediaClient } from '../../clients/index.js';

const filePath = /^\/_cms\/api\/media\/file\/([^?#]+)/;
/** More than one page of entries needs. */
const maxCached = 50_000;

/** The media items of new addresses, requested when values need them. */
export class MediaItems {
  private readonly cache = new LRUCache<string, { item: mediaApi.MediaFile | null }>({ max: maxCached });

  constructor(
    private readonly ctx: Context,
    private readonly media: Pick<MediaClient, 'byStorageKeys'>,
  ) {}

  /** @returns the item of an address, null for one that is no file of the library, undefined before it is requested. */
  get(url: string): mediaApi.MediaFile | null | undefined {
    return storageKeyOf(url) === null ? null : this.cache.get(url)?.item;
  }

  /** Requests the items of addresses. @throws QuireError SERVICE_UNAVAILABLE */
  async fetch(urls: Iterable<string>): Promise<void> {
    const keyOf = new Map([...urls].map((url) => [url, storageKeyOf(url) ?? '']));
    const items = await this.media.byStorageKeys(this.ctx, [...new Set(keyOf.values())]);
    const itemOf = new Map(items.map((item) => [item.storageKey, item]));
    for (const [url, key] of keyOf) this.cache.set(url, { item: itemOf.get(key) ?? null });
  }
}

function storageKeyOf(url: string): string | null {
  const [, key] = filePath.exec(url) ?? [];
  if (key === undefined) return null;
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
