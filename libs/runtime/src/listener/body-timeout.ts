import type { IncomingMessage } from 'node:http';

/** How long a client may send the body of a request. */
export interface BodyLimits {
  /** Time for a body, whatever its speed. */
  freeMs: number;
  /** A longer body goes on with at least so many bytes in each interval. */
  leastBytes: number;
  intervalMs: number;
}

/** An upload of any size ends, and a connection on which little arrives is closed after the first hour. */
export const defaultBodyLimits: BodyLimits = {
  freeMs: 3_600_000,
  leastBytes: 1024 * 1024,
  intervalMs: 60_000,
};

/**
 * Watches the body of a request, in place of Node's limit on the time of a whole request.
 * @param fail called once when the body has not ended in its time
 */
export function limitBody(request: IncomingMessage, limits: BodyLimits, fail: () => void): void {
  const { headers, socket } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
  const { freeMs, leastBytes, intervalMs } = limits;
  let received: number | undefined;
  const check = () => {
    if (request.complete) return;
    const { bytesRead } = socket;
    if (received !== undefined && bytesRead - received < leastBytes) {
      fail();
      return;
    }
    received = bytesRead;
    timer = setTimeout(check, intervalMs).unref();
  };
  let timer = setTimeout(check, freeMs).unref();
  request.once('close', () => clearTimeout(timer));
}
