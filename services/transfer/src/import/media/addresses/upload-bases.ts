import { comparableUrl } from '@quire/values';

const uploadsPath = '/wp-content/uploads/';
/** Further ones belong to single files, not to the site. */
const maxBases = 8;

/** A file of the source with its addresses, as an export has them. */
export interface AttachmentAddresses {
  url: string | null;
  /** A second address of the file. */
  guidUrl: string | null;
  /** Its path below the folder of uploads. */
  file: string | null;
}

/**
 * The addresses that the folder of uploads has or had: a site that moved keeps the former one in the guids of its older
 * attachments, and in its bodies.
 */
export class UploadBases {
  private readonly found = new Map<string, { base: string; count: number }>();

  add({ url, guidUrl, file }: AttachmentAddresses): void {
    if (file === null) return;
    for (const address of [url, guidUrl])
      if (address?.endsWith(`/${file}`)) this.count(address.slice(0, -file.length));
  }

  /**
   * @param siteUrl the present address of the site
   * @returns the bases, which end with a slash: the one that the site has by default, then the most frequent ones
   */
  list(siteUrl: string): string[] {
    const own = /^https?:\/\/[^/]/i.test(siteUrl) ? siteUrl.replace(/\/*$/, uploadsPath) : null;
    const frequent = [...this.found.values()].sort((a, b) => b.count - a.count);
    const others = frequent.map(({ base }) => base).filter((base) => keyOf(base) !== keyOf(own ?? ''));
    return [...(own === null ? [] : [own]), ...others.slice(0, maxBases)];
  }

  private count(base: string): void {
    const key = keyOf(base);
    const known = this.found.get(key);
    this.found.set(key, { base, count: (known?.count ?? 0) + 1 });
  }
}

const keyOf = (base: string): string => comparableUrl(base) ?? base;
