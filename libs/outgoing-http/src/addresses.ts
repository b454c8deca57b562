import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * A request was not made because of where it would have gone. The message names the host, never what was found there.
 */
export class DisallowedAddressError extends Error {
  override readonly name = 'DisallowedAddressError';
}

export interface AddressRules {
  protocols: readonly ('http:' | 'https:')[];
  /** Whether ports other than those of the protocols are reached. */
  anyPort: boolean;
  /** Loopback addresses are reached over any protocol and port as well: for tests. */
  allowLoopback: boolean;
}

/** IPv6 text arrives in brackets from URLs and with a zone from the resolver. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined;
}

/** What the Internet hands out in IPv6; the deprecated and unassigned rest is no place for a server. */
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
 * Looks at an address before anything is resolved: protocol, port, and the host where it is an IP address already.
 * @throws DisallowedAddressError
 */
export function assertAllowedUrl(url: URL, rules: AddressRules): void {
  const address = parseAddress(url.hostname);
  if (address && rules.allowLoopback && isLoopback(address)) return;
  if (!rules.protocols.some((protocol) => protocol === url.protocol)) {
    throw new DisallowedAddressError(`${url.protocol}//${url.host} is not an address of an allowed protocol`);
  }
  // The parser leaves a protocol's own port out.
  if (url.port !== '' && !rules.anyPort) {
    throw new DisallowedAddressError(`${url.host} names a port that is not allowed`);
  }
  if (address && !mayReach(url.hostname, rules)) {
    throw new DisallowedAddressError(`${url.host} is not a public address`);
  }
}

/**
 * A resolver for connections that hands on public addresses alone. One that is not public spoils the whole answer: who
 * mixes them is trying something.
 */
export function publicLookup(rules: AddressRules, lookup: LookupFunction = dns.lookup): LookupFunction {
  return (hostname, options, answer) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return answer(error, []);
      const addresses = Array.isArray(found) ? found : [];
      const first = addresses[0];
      if (!first || !addresses.every(({ address }) => mayReach(address, rules))) {
        return answer(new DisallowedAddressError(`${hostname} does not lead to a public address`), []);
      }
      if (options.all) answer(null, addresses);
      else answer(null, first.address, first.family);
    });
  };
}
