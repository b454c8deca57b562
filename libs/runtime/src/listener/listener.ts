import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigurationError } from '@quire/config';
import { rejectMalformedRequests } from './malformed-requests.js';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * How long the address and the headers of a request may be together, in bytes. Both filters of a list (contract 7) take
 * 8192 characters each, which escaped are nine times as many, and stand beside other parameters and a browser's
 * cookies.
 */
const maxHeaderBytes = 256 * 1024;
const keepAliveTimeoutMs = 65_000;
const headersTimeoutMs = 30_000;
/** A large upload over a slow line may take this long; Node's own limit is five minutes. */
const requestTimeoutMs = 3_600_000;
/**
 * How long a client that has its answer already may go on sending the body: time to notice, for those that read when
 * they have sent.
 */
const defaultLingerMs = 30_000;
const drainTimeoutMs = 10_000;
const idleSweepMs = 50;

/** The one HTTP server of a process. */
export class Listener {
  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /**
   * Starts to listen on all addresses.
   * @param port 0 takes a free one.
   * @param lingerMs how long the rest of a body is taken once its request is answered; then the connection is cut
   * @throws ConfigurationError saying what to do when the port is taken or not allowed.
   */
  static async open(
    port: number,
    handler: RequestHandler,
    { lingerMs = defaultLingerMs } = {},
  ): Promise<Listener> {
    const server = createServer(
      {
        maxHeaderSize: maxHeaderBytes,
        keepAliveTimeout: keepAliveTimeoutMs,
        headersTimeout: headersTimeoutMs,
        requestTimeout: requestTimeoutMs,
      },
      (request, response) => {
        response.once('finish', () => cutLater(request, lingerMs));
        handler(request, response);
      },
    );
    rejectMalformedRequests(server, lingerMs);
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => reject(listenFailure(error, port)));
      server.listen(port, () => resolve());
    });
    return new Listener(server, (server.address() as AddressInfo).port);
  }

  /** Takes no new connections and waits for running requests; those that last too long are cut off. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeIdleConnections();
    // A connection whose request ends now stays open for the next one, which never comes.
    const sweep = setInterval(() => this.server.closeIdleConnections(), idleSweepMs);
    const timer = setTimeout(() => this.server.closeAllConnections(), drainTimeoutMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(timer);
  }
}

/** Cuts the connection of a request that is answered and whose body does not end. */
function cutLater(request: IncomingMessage, lingerMs: number): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.socket.destroy(), lingerMs).unref();
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}

function listenFailure(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new ConfigurationError(`Port ${port} is taken: stop what uses it, or set PORT to another one`);
  }
  if (error.code === 'EACCES')
    return new ConfigurationError(`Port ${port} needs more rights: set PORT to one above 1023`);
  return error;
}
