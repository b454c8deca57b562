import { domainToASCII } from 'node:url';

/** An address in the form in which addresses are compared. */
export interface UrlParts {
  /** In lower case without `www.` and the default port; null in a root-relative address. */
  host: string | null;
  /** Begins with a slash, decoded, in NFC. */
  path: string;
  /** With the question mark; empty without a query. */
  query: string;
}

/** Longer texts are no addresses of files. */
const maxUrlLength = 4_096;

const absolute = /^(?:https?:)?\/\/([^/?#]+)(\/[^?#]*)?(\?[^#]*)?/i;
const rootRelative = /^(\/(?!\/)[^?#]*)(\?[^#]*)?/;
const escapedAmpersand = /&(?:amp|#0*38|#x0*26);/gi;
const encodedBytes = /(?:%[0-9a-f]{2})+/gi;
const defaultPort = /:(?:80|443)?$/;
/** The hosts of an image CDN, which has the original's host and path in its path (contract 1.6). */
const imageCdn = /^i[0-3]\.wp\.com$/;

/**
 * @param url http, https, without a scheme (`//host/…`) or root-relative, also with HTML-escaped ampersands
 * @returns its parts; null for any other text.
 */
export function partsOfUrl(url: string): UrlParts | null {
  if (url.length > maxUrlLength || !url.includes('/') || isFollowedByText(url)) return null;
  const text = url.includes('&') ? url.replace(escapedAmpersand, '&') : url;
  const match = absolute.exec(text);
  if (match) {
    const [, host = '', path = '/', query = ''] = match;
    return { host: normalisedHost(host), path: normalisedPath(path), query };
  }
  const relative = rootRelative.exec(text);
  if (!relative) return null;
  const [, path = '/', query = ''] = relative;
  return { host: null, path: normalisedPath(path), query };
}

/** @returns the original's parts for an address of an image CDN; null for any other. */
export function originalOf({ host, path }: UrlParts): UrlParts | null {
  if (host === null || !imageCdn.test(host)) return null;
  const [, original, rest] = /^\/([^/]+)(\/.*)$/.exec(path) ?? [];
  if (original === undefined || rest === undefined) return null;
  return { host: normalisedHost(original), path: rest, query: '' };
}

/** A path may have spaces, a query has none: it would be the rest of a sentence. */
function isFollowedByText(url: string): boolean {
  const end = url.search(/[?#]/);
  return end >= 0 && /\s/.test(url.slice(end));
}

/** Browsers and exports write one host in several ways. */
function normalisedHost(host: string): string {
  const name = host.toLowerCase().replace(defaultPort, '');
  const ascii = /^[\x21-\x7e]+$/.test(name) ? name : domainToASCII(name);
  return (ascii || name).replace(/^www\./, '');
}

/** Decodes what can be decoded: one address has percent-encoded and plain spellings. */
function normalisedPath(path: string): string {
  const decoded = path.includes('%') ? path.replace(encodedBytes, decodeBytes) : path;
  return decoded.normalize('NFC');
}

function decodeBytes(bytes: string): string {
  try {
    return decodeURIComponent(bytes);
  } catch {
    return bytes.toUpperCase();
  }
}
