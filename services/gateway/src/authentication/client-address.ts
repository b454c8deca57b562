import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Which headers tell the client's address, and how far they are believed. */
export interface TrustedProxies {
  /** Lower-case header names, best first. */
  headers: readonly string[];
  /**
   * How many proxies of the operator append to a `*-forwarded-for` header: that entry from the right is the
   * client.
   */
  hops: number;
}

const forwardedFor = /(?:^|-)forwarded-for$/;
/** An address with the port that some proxies append: `203.0.113.7:4711`, `[2001:db8::1]:443`. */
const withPort = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/;
/**
 * Ranges in which one address is one client; any other address of a connection may be a proxy's or a
 * bridge's.
 */
const clientRanges: ReadonlySet<string> = new Set(['unicast', '6to4', 'teredo', 'loopback']);

/**
 * The client's IP address (decisions 54 and 55). With trusted headers it is taken from the first one that is
 * present; an entry that is missing or unreadable gives way to the connection's own address, which the client
 * cannot choose. Without trusted headers the connection's address counts where it is public or loopback.
 * @returns the address in one spelling, or null when the connection comes from a private address and no
 * header is trusted.
 */
export function clientAddressOf(
  { headers, socket }: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } },
  proxies: TrustedProxies,
): string | null {
  const connected = connectionAddress(socket.remoteAddress);
  if (proxies.headers.length === 0)
    return connected !== null && clientRanges.has(ipaddr.parse(connected).range()) ? connected : null;
  const name = proxies.headers.find((header) => headers[header] !== undefined);
  if (name === undefined) return connected;
  const value = String(headers[name]);
  // What stands left of the operator's own proxies was written by the client.
  const entry = forwardedFor.test(name) ? value.split(',').at(-proxies.hops) : value;
  return readAddress(entry ?? '') ?? connected;
}

/** One spelling an address, so that nobody gets a second allowance by writing theirs differently. */
function readAddress(text: string): string | null {
  const trimmed = text.trim();
  const [, bracketed, plain] = withPort.exec(trimmed) ?? [];
  const bare = bracketed ?? plain ?? trimmed;
  if (isIP(bare) === 0 || bare.includes('%')) return null;
  return ipaddr.process(bare).toString();
}

/** A link-local connection names its interface: `fe80::1%eth0`. */
function connectionAddress(text = ''): string | null {
  return readAddress(text.replace(/%.*$/, ''));
}
