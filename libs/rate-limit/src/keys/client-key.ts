import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

const bitsPerPart = 16;

/**
 * The key of a client: its IPv4 address, or the /64 network of its IPv6 address, of which one client usually has all
 * addresses.
 * @param address in the normalised spelling of the gateway
 */
export function clientKey(address: string): string {
  return networkOf(address, 64) ?? address;
}

/**
 * The second key of an IPv6 client: the /48 network, which one subscriber may have with its 65,536 networks of /64.
 * @returns undefined for IPv4
 */
export function siteKey(address: string): string | undefined {
  return networkOf(address, 48);
}

function networkOf(address: string, bits: number): string | undefined {
  if (!isIPv6(address)) return undefined;
  const { parts } = ipaddr.IPv6.parse(address);
  const network = parts.slice(0, bits / bitsPerPart).map((part) => part.toString(16));
  return `${network.join(':')}::/${bits}`;
}
