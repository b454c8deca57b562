import { parseUrl } from '@quire/values';

/**
 * The identity of a source site: host and path of its address, in lower case, without `www.` and a final slash. Exports
 * of one site are recognised by it, whether it was reached by http or https.
 */
export function siteKey(siteUrl: string): string {
  const url = parseUrl(siteUrl);
  if (!url) return siteUrl.trim().toLowerCase();
  const { host, pathname } = url;
  return `${host.replace(/^www\./, '')}${pathname.replace(/\/+$/, '')}`.toLowerCase();
}
