import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The headers that carry the client's address, and how many proxies append to them. */
export interface TrustedProxies {
  /** Lower-case header names, in order of preference. */
  headers: readonly string[];
  /**
   * Number of proxies of the operator that append to a `*-forwarded-for` header: the entry at this position from the
   * right is the client.
   */
  hops: number;
}

interface Connection {
  remoteAddress?: string | undefined;
}

const forwardedFor = /(?:^|-)forwarded-for$/;
/** An address with the port that some proxies append: `203.0.113.7:4711`, `[2001:db8::1]:443`. */
const withPort = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/;
/** Ranges in which one address is one client. Another address of a connection may belong to a proxy or a bridge. */
const clientRanges: ReadonlySet<string> = new Set(['unicast', '6to4', 'teredo', 'loopback']);

/**
 * Returns the client's IP address (decisions 54 and 55). With trusted headers the first present header has it; for a
 * missing or unreadable entry the address of the connection is used, which the client cannot choose. Without trusted
 * headers the address of the connection is used if it is public or loopback.
 * @returns the address in canonical form, or null when the connection comes from a private address and no header is
 *   trusted
 */
export function clientAddressOf(
  { headers, socket }: Pick<IncomingMessage, 'headers'> & { socket: Connection },
  proxies: TrustedProxies,
): string | null {
  const connected = addressOf(socket);
  if (proxies.headers.length === 0)
    return connected !== null && clientRanges.has(ipaddr.parse(connected).range()) ? connected : null;
  const name = proxies.headers.find((header) => headers[header] !== undefined);
  if (name === undefined) return connected;
  const value = String(headers[name]);
  // Entries left of those of the operator's proxies were written by the client.
  const entry = forwardedFor.test(name) ? value.split(',').at(-proxies.hops) : value;
  return readAddress(entry ?? '') ?? connected;
}

/** Canonical form of an address: another spelling of it must not get a rate limit of its own. */
function readAddress(text: string): string | null {
  const trimmed = text.trim();
  const [, bracketed, plain] = withPort.exec(trimmed) ?? [];
  const bare = bracketed ?? plain ?? trimmed;
  if (isIP(bare) === 0 || bare.includes('%')) return null;
  return ipaddr.process(bare).toString();
}

/** Addresses of connections: reading one costs more than the other headers of a request together. */
const connectionAddresses = new WeakMap<Connection, { text: string | undefined; address: string | null }>();

/** A connection that was closed has no address any more. */
function addressOf(connection: Connection): string | null {
  const text = connection.remoteAddress;
  const known = connectionAddresses.get(connection);
  if (known && known.text === text) return known.address;
  const address = connectionAddress(text);
  connectionAddresses.set(connection, { text, address });
  return address;
}

/** Removes the interface of a link-local connection: `fe80::1%eth0`. */
function connectionAddress(text = ''): string | null {
  return readAddress(text.replace(/%.*$/, ''));
}
