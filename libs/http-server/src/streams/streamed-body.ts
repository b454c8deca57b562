import type { Readable } from 'node:stream';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { QuireError } from '@quire/errors';
import type { FastifyRequest } from 'fastify';

/** A body that is read as a stream. */
export interface StreamedBody {
  /** The request itself. Readers must not destroy it, because the response uses the same connection. */
  bytes: Readable;
  /** Content-Type of the request. */
  contentType: string | undefined;
  /** Content-Length, if the client sent it. */
  contentLength: number | undefined;
  /** Aborts when the connection ends before the whole body is read. */
  signal: AbortSignal;
}

/** Handler parameter of operations that declare `stream`. */
export const BodyStream = createParamDecorator((_: undefined, execution: ExecutionContext): StreamedBody => {
  const { raw } = execution.switchToHttp().getRequest<FastifyRequest>();
  const disconnected = new AbortController();
  raw.once('close', () => {
    // Also for a complete body: an error after it may break the connection, and then the rest is never delivered.
    if (!raw.readableEnded) disconnected.abort(clientDisconnected());
  });
  if (raw.destroyed && !raw.readableEnded) disconnected.abort(clientDisconnected());
  // The signal reports a broken connection; without a listener the event would end the process.
  raw.on('error', () => undefined);
  const length = raw.headers['content-length'];
  return {
    bytes: raw,
    contentType: raw.headers['content-type'],
    contentLength: length === undefined ? undefined : Number(length),
    signal: disconnected.signal,
  };
});

/** The client no longer reads the response; this is no failure of the service and is not logged. */
function clientDisconnected(): QuireError {
  return new QuireError('INVALID_REQUEST', 'The client disconnected before its body was complete');
}
