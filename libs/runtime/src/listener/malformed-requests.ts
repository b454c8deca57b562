import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { toErrorResponse, QuireError } from '@quire/errors';

/** The pending response of a connection; a second one must not be written into it. */
const pendingResponses = new WeakMap<Socket, ServerResponse>();

/**
 * Responds with the error envelope (contract 1) to data that is no valid request, where Node by itself sends a bare
 * status.
 * @param lingerMs maximum time for a client that is still sending to notice
 */
export function rejectMalformedRequests(server: Server, lingerMs: number): void {
  server.on('request', ({ socket }, response: ServerResponse) => pendingResponses.set(socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const response = pendingResponses.get(socket);
    const isResponding = response !== undefined && response.headersSent && !response.writableFinished;
    if (isResponding || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    // Data after the response causes further errors, and is discarded.
    if (!socket.writable) return;
    socket.end(responseText(toQuireError(error)));
    setTimeout(() => socket.destroy(), lingerMs).unref();
  });
}

function toQuireError({ code }: NodeJS.ErrnoException): QuireError {
  return code === 'HPE_HEADER_OVERFLOW'
    ? new QuireError('PAYLOAD_TOO_LARGE', 'The address and the headers of the request are too long')
    : new QuireError('INVALID_REQUEST', 'The request is malformed or timed out');
}

function responseText(error: QuireError): string {
  const { status, headers, body } = toErrorResponse(error);
  const text = JSON.stringify(body);
  const lines = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`;
}
