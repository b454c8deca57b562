import { isIPv6 } from 'node:net';

const networkParts = 4;
const allParts = 8;

/**
 * What a client is counted by: its IPv4 address, or the /64 network of its IPv6 address, of which one client usually has
 * all addresses.
 * @param address in its usual spelling, as the gateway tells it
 */
export function clientKey(address: string): string {
  if (!isIPv6(address)) return address;
  const [before = '', after] = address.split('::', 2);
  const first = before === '' ? [] : before.split(':');
  const last = after === undefined || after === '' ? [] : after.split(':');
  const gap = after === undefined ? 0 : allParts - first.length - last.length;
  const parts = [...first, ...Array.from({ length: gap }, () => '0'), ...last];
  return `${parts.slice(0, networkParts).join(':')}::/64`;
}
