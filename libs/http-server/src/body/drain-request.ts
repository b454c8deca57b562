import type { IncomingMessage } from 'node:http';
import { getRequestIdentity } from '@quire/context';

/** Maximum bytes read and discarded of a body whose sender is not authorised. */
const maxUnauthorisedBytes = 64 * 1024;
const unauthorisedStatuses = new Set([401, 403]);

/**
 * Reads and discards the rest of a body after the response: a client that is still sending would lose the response if
 * the connection were closed immediately. Of the body of an unauthorised or anonymous caller only a little is read; the
 * listener closes the connection later.
 */
export function drainRequest(request: IncomingMessage, status: number): void {
  if (request.complete || request.destroyed) return;
  const principal = getRequestIdentity(request)?.principal;
  const isAuthorised =
    principal !== undefined && principal.kind !== 'anonymous' && !unauthorisedStatuses.has(status);
  if (!isAuthorised) {
    let left = maxUnauthorisedBytes;
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left <= 0) request.pause();
    });
  }
  request.resume();
}
