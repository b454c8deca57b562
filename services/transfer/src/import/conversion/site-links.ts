import { isAllowedUrl, parseUrl } from '@quire/values';

const origin = /^https?:\/\/[^/?#]*/i;
const uploads = '/wp-content/uploads/';

/** Resolves addresses of the source site (contract sections 3.1 and 4.4). */
export class SiteLinks {
  private readonly site: { host: string; path: string } | undefined;

  /** @param siteUrl the base URL of the source site; without a valid one no link is internal. */
  constructor(siteUrl: string | undefined) {
    this.site = siteUrl === undefined ? undefined : siteOf(siteUrl);
  }

  /**
   * The address of a link: root-relative for a page of the source site, otherwise unchanged. Files stay absolute, for
   * the step that rewrites their addresses.
   * @returns undefined for an address that is not allowed
   */
  resolve(address: string): string | undefined {
    if (!isAllowedUrl(address)) return undefined;
    if (!this.site || !origin.test(address) || !this.isOfSite(address, this.site.path)) return address;
    const path = address.replace(origin, '');
    if (path.toLowerCase().includes(uploads)) return address;
    const rooted = path.startsWith('/') ? path : `/${path}`;
    // The path of `https://site//other.example` leaves the site when it has no origin in front.
    return isAllowedUrl(rooted) ? rooted : address;
  }

  private isOfSite(address: string, basePath: string): boolean {
    const { host, pathname } = new URL(address);
    return withoutWww(host) === this.site?.host && `${pathname}/`.startsWith(`${basePath}/`);
  }
}

function siteOf(siteUrl: string): { host: string; path: string } | undefined {
  const url = origin.test(siteUrl) ? parseUrl(siteUrl) : undefined;
  if (!url) return undefined;
  const { host, pathname } = url;
  return { host: withoutWww(host), path: pathname.replace(/\/$/, '') };
}

const withoutWww = (host: string): string => host.replace(/^www\./, '');
