import type { GatewayRules } from '@quire/operation';

/** On https cookies have this prefix (libs/http-server, cookies). */
const hostPrefix = '__Host-';

/** Returns a Cookie header with only the cookies that a path declares; undefined without any. */
export function forwardedCookies(
  names: GatewayRules['cookies'],
  header: string | undefined,
): string | undefined {
  if (names === 'all' || header === undefined) return header;
  const forwarded = header
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) =>
      names.some((name) => [`${name}=`, `${hostPrefix}${name}=`].some((start) => cookie.startsWith(start))),
    );
  return forwarded.length === 0 ? undefined : forwarded.join('; ');
}
