import type { IncomingMessage } from 'node:http';
import { QuireError } from '@quire/errors';

/** Methods that change nothing. */
export const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Checks that a browser sent a request from a page of the operations port. Browsers send one of the two headers with
 * every request that changes something. Hosts are compared without the scheme: a proxy may end TLS.
 * @throws QuireError CSRF_REJECTED
 */
export function assertSameOrigin({ headers }: IncomingMessage): void {
  const site = headers['sec-fetch-site'];
  const isSame = site === undefined ? hostOf(headers.origin) === headers.host : site === 'same-origin';
  if (!isSame) throw new QuireError('CSRF_REJECTED', 'The request does not come from a page of this address');
}

/** The host of an origin; null, which equals no Host header, without one. */
function hostOf(origin: string | undefined): string | null {
  try {
    return new URL(origin ?? '').host;
  } catch {
    return null;
  }
}
