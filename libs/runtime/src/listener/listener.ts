import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigurationError } from '@quire/config';
import { defaultBodyLimits, limitBody } from './body-timeout.js';
import { rejectMalformedRequests } from './malformed-requests.js';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Maximum size of the address and the headers of a request together, in bytes. Both filters of a list (contract 7) have
 * up to 8192 characters each, nine times as many when escaped, in addition to other parameters and a browser's cookies.
 */
const maxHeaderBytes = 256 * 1024;
const keepAliveTimeoutMs = 65_000;
const headersTimeoutMs = 30_000;
/** Time for a client that has its response to stop sending the body: some clients read only after they have sent. */
const defaultLingerMs = 30_000;
const drainTimeoutMs = 10_000;
const idleSweepMs = 50;

interface ListenerOptions {
  /** The address to listen on (default: all). */
  host?: string | undefined;
  /** The variable that names the port, for advice. */
  portVariable?: string;
  /** Maximum time for the rest of a body after the response; then the connection is closed. */
  lingerMs?: number;
  /** Time for the body of a request. */
  bodyLimits?: typeof defaultBodyLimits;
}

/** An HTTP server of a process. */
export class Listener {
  private constructor(
    private readonly server: Server,
    private readonly state: { isDraining: boolean },
    readonly port: number,
  ) {}

  /**
   * Starts to listen.
   * @param port 0 chooses a free one
   * @throws ConfigurationError with advice when the port is in use or not allowed
   */
  static async open(
    port: number,
    handler: RequestHandler,
    {
      host,
      portVariable = 'PORT',
      lingerMs = defaultLingerMs,
      bodyLimits = defaultBodyLimits,
    }: ListenerOptions = {},
  ): Promise<Listener> {
    const state = { isDraining: false };
    const server = createServer(
      {
        maxHeaderSize: maxHeaderBytes,
        keepAliveTimeout: keepAliveTimeoutMs,
        headersTimeout: headersTimeoutMs,
        // `limitBody` limits the time of bodies.
        requestTimeout: 0,
      },
      (request, response) => {
        if (state.isDraining) response.shouldKeepAlive = false;
        response.once('finish', () => cutLater(request, lingerMs));
        limitBody(request, bodyLimits, () =>
          server.emit('clientError', new Error('The body did not arrive in time'), request.socket),
        );
        handler(request, response);
      },
    );
    rejectMalformedRequests(server, lingerMs);
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        reject(listenFailure(error, port, portVariable)),
      );
      server.listen({ port, host }, () => resolve());
    });
    return new Listener(server, state, (server.address() as AddressInfo).port);
  }

  /** Closes each connection after its next response, so that its client opens one to another process. */
  beginDrain(): void {
    this.state.isDraining = true;
  }

  /** Accepts no new connections and waits for running requests; those that take too long are aborted. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeIdleConnections();
    // After its request a connection would stay open for a next one, which never comes.
    const sweep = setInterval(() => this.server.closeIdleConnections(), idleSweepMs);
    const timer = setTimeout(() => this.server.closeAllConnections(), drainTimeoutMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(timer);
  }
}

/** Closes the connection of a request with a response whose body does not end. */
function cutLater(request: IncomingMessage, lingerMs: number): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.socket.destroy(), lingerMs).unref();
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}

function listenFailure(error: NodeJS.ErrnoException, port: number, variable: string): Error {
  if (error.code === 'EADDRINUSE') {
    return new ConfigurationError(
      `Port ${port} is taken: stop what uses it, or set ${variable} to another one`,
    );
  }
  if (error.code === 'EACCES')
    return new ConfigurationError(`Port ${port} needs more rights: set ${variable} to one above 1023`);
  return error;
}
