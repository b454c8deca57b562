import type { BlockFieldsOf } from '@quire/content-model';
import type { mediaApi } from '@quire/internal-api';
import type { UrlMap } from '@quire/values';

/** Media items by new address: null for one that is no file of the library, undefined for one not looked up yet. */
export interface MediaByUrl {
  get(url: string): mediaApi.MediaFile | null | undefined;
}

/** One rewriting of values, with what it has found. */
export class RewriteContext {
  /** Number of addresses that were replaced. */
  count = 0;
  /** New addresses whose media items are needed to complete the values. */
  readonly missing = new Set<string>();
  /** Why values keep a former address: `path: reason`. */
  readonly problems: string[] = [];

  constructor(
    readonly urls: UrlMap,
    private readonly media: MediaByUrl,
    readonly blockFields: BlockFieldsOf,
  ) {}

  /** @returns the new address of a value that is an address, and nothing else. */
  find(value: unknown): string | undefined {
    if (typeof value !== 'string') return undefined;
    const to = this.urls.find(value);
    return to === value ? undefined : to;
  }

  /** @returns the media item of a new address; null when it is no file of the library, or is not looked up yet. */
  itemOf(url: string): mediaApi.MediaFile | null {
    const item = this.media.get(url);
    if (item === undefined) this.missing.add(url);
    return item ?? null;
  }

  /** Replaces the addresses in a plain text. */
  inText(text: string): string {
    const replaced = this.urls.replaceIn(text);
    this.count += replaced.count;
    return replaced.text;
  }
}
