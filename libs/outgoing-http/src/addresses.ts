import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * A request was not sent because of its destination. The message names the host, but never its addresses.
 */
export class DisallowedAddressError extends Error {
  override readonly name = 'DisallowedAddressError';
}

export interface AddressRules {
  protocols: readonly ('http:' | 'https:')[];
  /** Whether ports other than those of the protocols are allowed. */
  anyPort: boolean;
  /** Loopback addresses are allowed over any protocol and port as well: for tests. */
  allowLoopback: boolean;
}

/** No address in any notation has another character. The parser takes long for a name. */
const notInAddresses = /[^\da-fx.:]/i;

/** IPv6 text has brackets in URLs and a zone in results of the resolver. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (notInAddresses.test(bare)) return undefined;
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined;
}

/** The allocated range of IPv6; the deprecated and unassigned rest has no public servers. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}

function isLoopback(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.range() === 'loopback';
}

function mayReach(address: string, { allowLoopback }: AddressRules): boolean {
  const parsed = parseAddress(address);
  if (!parsed) return false;
  return isPublic(parsed) || (allowLoopback && isLoopback(parsed));
}

/**
 * Checks a URL before its host is resolved: protocol, port, and the host if it is an IP address.
 * @throws DisallowedAddressError
 */
export function assertAllowedUrl(url: URL, rules: AddressRules): void {
  const address = parseAddress(url.hostname);
  if (address && rules.allowLoopback && isLoopback(address)) return;
  if (!rules.protocols.some((protocol) => protocol === url.protocol)) {
    throw new DisallowedAddressError(`${url.protocol}//${url.host} is not an address of an allowed protocol`);
  }
  // The parser leaves a protocol's default port out.
  if (url.port !== '' && !rules.anyPort) {
    throw new DisallowedAddressError(`${url.host} names a port that is not allowed`);
  }
  if (address && !mayReach(url.hostname, rules)) {
    throw new DisallowedAddressError(`${url.host} is not a public address`);
  }
}

/**
 * A resolver for connections that returns public addresses only. One other address makes the whole result an error: a
 * mixture is a sign of an attack.
 */
export function publicLookup(rules: AddressRules, lookup: LookupFunction = dns.lookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = Array.isArray(found) ? found : [];
      const first = addresses[0];
      if (!first || !addresses.every(({ address }) => mayReach(address, rules))) {
        return callback(new DisallowedAddressError(`${hostname} does not lead to a public address`), []);
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
