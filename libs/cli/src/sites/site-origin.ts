import { isIPv4 } from 'node:net';
import { CommandError } from '../command-error.js';

/** Whether a host of a URL is this computer (RFC 6761, 6.3; RFC 1122, 3.2.1.3). */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    (isIPv4(hostname) && hostname.startsWith('127.'))
  );
}

/**
 * The origin of a site that a user has typed. Without a scheme, sites of this computer have http and others https.
 * @throws CommandError for anything but an address, and for http to another computer, which would show the tokens
 */
export function siteOriginOf(typed: string): string {
  const url = parseUrl(typed.includes('://') ? typed : `https://${typed}`);
  if (!url) throw new CommandError(`'${typed}' is not the address of a site, such as https://cms.example`);
  if (url.username !== '' || url.password !== '')
    throw new CommandError('The address of a site has no user name and no password');
  const isLocal = isLoopback(url.hostname);
  if (!typed.includes('://')) return isLocal ? `http://${url.host}` : url.origin;
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)) return url.origin;
  throw new CommandError(`${url.protocol}//${url.host}: use https; http is for sites of this computer`);
}

/**
 * Checks an address that a site names for its own login.
 * @throws CommandError when it is on another origin than the site: tokens never go there
 */
export function assertOnSite(address: string, origin: string): void {
  const named = parseUrl(address)?.origin;
  if (named === origin) return;
  throw new CommandError(`${origin} calls itself ${named ?? `'${address}'`}: use the address that it has`);
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
