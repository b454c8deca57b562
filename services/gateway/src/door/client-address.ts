import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

const forwardedFor = /(?:^|-)forwarded-for$/;
/** An address with the port that some proxies append: `203.0.113.7:4711`, `[2001:db8::1]:443`. */
const withPort = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/;
const mappedIPv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The client's IP address, from the first trusted header that is present (spec document 1, Limits; contract 4). The
 * connection's own address is never taken: behind a proxy it is the proxy's, the same for everybody.
 * @param trusted lower-case header names; of `*-forwarded-for` the first entry counts.
 * @returns the address in one spelling, or null when no trusted header is present or it holds no address.
 */
export function clientAddressOf(headers: IncomingHttpHeaders, trusted: readonly string[]): string | null {
  const name = trusted.find((header) => headers[header] !== undefined);
  if (name === undefined) return null;
  const value = String(headers[name]);
  return address((forwardedFor.test(name) ? value.split(',', 1)[0] : value) ?? '');
}

/** One spelling an address, so that nobody gets a second allowance by writing his own differently. */
function address(text: string): string | null {
  const trimmed = text.trim();
  const [, bracketed, plain] = withPort.exec(trimmed) ?? [];
  const bare = bracketed ?? plain ?? trimmed;
  const [, mapped] = mappedIPv4.exec(bare) ?? [];
  switch (isIP(mapped ?? bare)) {
    case 4:
      return mapped ?? bare;
    case 6:
      return bare.includes('%') ? null : new URL(`http://[${bare}]`).hostname.slice(1, -1);
    default:
      return null;
  }
}
