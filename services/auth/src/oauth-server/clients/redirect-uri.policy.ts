const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
const visibleAscii = /^[\x21-\x7e]+$/;
/** URL parsers complete an address without both slashes in different ways. */
const withAuthority = /^[a-z]+:\/\/[^/]/i;
const loopbackPort = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d+)?(?=[/?]|$)/;

/**
 * Whether a text is a valid redirect URI: https on any host or http on a loopback host, without fragment and
 * credentials (contract 32).
 */
export function isRedirectUri(text: string): boolean {
  if (!visibleAscii.test(text) || !withAuthority.test(text) || /[#\\]/.test(text) || !URL.canParse(text))
    return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && loopbackHosts.has(hostname));
}

/**
 * Whether a URI is valid and equals a registered one, character by character. The port of a loopback host may differ,
 * because native applications use an ephemeral port (RFC 8252, 7.3).
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  return isRedirectUri(uri) && registered.some((known) => withoutPort(known) === withoutPort(uri));
}

function withoutPort(uri: string): string {
  return uri.replace(loopbackPort, '$1');
}

/**
 * Appends response parameters to a redirect URI and keeps its query; `undefined` parameters are omitted.
 * @param params with the identifier of this server, so that an application does not send the code to another (RFC 9207)
 */
export function buildRedirectUri(
  uri: string,
  params: { iss: string } & Record<string, string | undefined>,
): string {
  const given = Object.entries(params).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(given).toString()}`;
}
