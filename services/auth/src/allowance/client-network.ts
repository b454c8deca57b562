import { isIPv6 } from 'node:net';

const groupCount = 8;
const groupsOfNetwork = 4;

/**
 * Whom a limit counts: an IPv4 address, or the /64 network of an IPv6 one, because every household holds a whole network
 * of those.
 */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, groupCount - left.length - right.length) }, () => '0');
  return [...left, ...zeros, ...right].slice(0, groupsOfNetwork).join(':');
}
