const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
const visibleAscii = /^[\x21-\x7e]+$/;
/** Without both slashes an address is completed by whoever reads it, and not by all alike. */
const withAuthority = /^[a-z]+:\/\/[^/]/i;
const loopbackPort = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d+)?(?=[/?]|$)/;

/**
 * Whether an application may be sent answers at this address: https anywhere, http on the user's own computer, without
 * fragment and credentials (contract 32).
 */
export function isRedirectUri(text: string): boolean {
  if (!visibleAscii.test(text) || !withAuthority.test(text) || /[#\\]/.test(text) || !URL.canParse(text))
    return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && loopbackHosts.has(hostname));
}

/**
 * Whether an address is one of the registered ones, letter by letter. The port on the user's own computer is free,
 * because applications there take whichever they get (RFC 8252, 7.3).
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  return isRedirectUri(uri) && registered.some((known) => withoutPort(known) === withoutPort(uri));
}

function withoutPort(uri: string): string {
  return uri.replace(loopbackPort, '$1');
}

/** Appends response parameters to a redirect URI; its existing query is kept. */
export function buildRedirectUri(uri: string, params: Record<string, string | undefined>): string {
  const given = Object.entries(params).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(given).toString()}`;
}
