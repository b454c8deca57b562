/**
 * The identity of a source site: host and path of its address, in lower case, without `www.` and a final slash. Exports
 * of one site are recognised by it, whether it was reached by http or https.
 */
export function siteKey(siteUrl: string): string {
  if (!URL.canParse(siteUrl)) return siteUrl.trim().toLowerCase();
  const { host, pathname } = new URL(siteUrl);
  return `${host.replace(/^www\./, '')}${pathname.replace(/\/+$/, '')}`.toLowerCase();
}
