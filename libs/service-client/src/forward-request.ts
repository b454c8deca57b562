import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { cookiesOf, drainRequest, writeErrorResponse, type ErrorRenderer } from '@quire/http-server';
import { getRequestIdentity } from '@quire/context';
import type { Logger } from '@quire/observability';
import { traceIdOf } from '@quire/tracing';
import type { Dispatcher } from 'undici';
import type { ForwardOptions } from './service-upstream.js';
import { isTimeout, toUpstreamError } from './upstream-error.js';

const hopByHop = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'proxy-authorization',
  'proxy-connection',
  'expect',
  'host',
]);
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The connections to a service in another process. */
export interface UpstreamConnections {
  dispatcher: Dispatcher;
  origin: string;
  logger: Logger;
  service: string;
  renderError: ErrorRenderer;
}

/** Forwards a public request to a service, and its response to the client. Safe methods are retried once. */
export function forwardRequest(
  connections: UpstreamConnections,
  request: IncomingMessage,
  response: ServerResponse,
  { headers = {}, timeoutSeconds, onResponse }: ForwardOptions,
): void {
  const method = request.method as Dispatcher.HttpMethod;
  const body = safeMethods.has(method) ? null : bodyOf(request);
  const options: Dispatcher.DispatchOptions = {
    origin: connections.origin,
    path: request.url ?? '/',
    method,
    headers: forwardedHeaders(request.headers, headers),
    body,
    ...(timeoutSeconds === undefined ? {} : { headersTimeout: timeoutSeconds * 1000 }),
  };
  new ForwardedRequest(connections, options, { request, response, onResponse }).send();
}

/**
 * A request on its way. Parts of the response go from one socket to the other as they arrive, without a stream between
 * them; the service waits while the client is slower.
 */
class ForwardedRequest implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private attempts = 0;
  private isAnswered = false;
  private isAborted = false;
  /** Bytes of the response that are still expected, if the service has announced their number. */
  private remaining = NaN;
  /** The last part of the response: it is sent with the end, and if it is the only one, with the head. */
  private lastPart: Buffer | undefined;

  constructor(
    private readonly connections: UpstreamConnections,
    private readonly options: Dispatcher.DispatchOptions,
    private readonly client: {
      request: IncomingMessage;
      response: ServerResponse;
      onResponse: ForwardOptions['onResponse'];
    },
  ) {
    const { response } = client;
    response.once('close', () => this.abortUnlessFinished());
    response.on('drain', () => this.controller?.resume());
  }

  send(): void {
    this.attempts += 1;
    this.connections.dispatcher.dispatch(this.options, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isAborted) controller.abort(clientClosed());
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.isAnswered = true;
    this.client.onResponse?.(status);
    const { body } = this.options;
    if (body instanceof PassThrough) drainAfter(body, this.client.request, status);
    this.remaining = Number(headers['content-length']);
    this.client.response.writeHead(status, responseHeaders(headers, cookiesOf(this.client.response)));
  }

  onResponseData(controller: Dispatcher.DispatchController, part: Buffer): void {
    this.remaining -= part.length;
    if (this.remaining === 0) this.lastPart = part;
    else if (!this.client.response.write(part)) controller.pause();
  }

  onResponseEnd(): void {
    this.client.response.end(this.lastPart);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.isAborted) return;
    const { logger, service, renderError } = this.connections;
    const { method } = this.options;
    const canRepeat = !this.isAnswered && safeMethods.has(method) && !isTimeout(error);
    if (canRepeat && this.attempts === 1) return this.send();
    if (this.client.response.headersSent) {
      logger.warn({ service, ...factsOf(this.client.request), err: error }, 'upstream response aborted');
      this.client.response.destroy();
      return;
    }
    logger.warn({ service, method, ...factsOf(this.client.request), err: error }, 'upstream request failed');
    writeErrorResponse(
      this.client.request,
      this.client.response,
      toUpstreamError(service, error),
      renderError,
    );
  }

  private abortUnlessFinished(): void {
    if (this.client.response.writableFinished) return;
    this.isAborted = true;
    this.controller?.abort(clientClosed());
  }
}

/** What a log line says of a request, so that the line of the gateway is found by it. */
function factsOf(request: IncomingMessage): object {
  const { requestId, trace, principal } = getRequestIdentity(request) ?? {};
  return { requestId, traceId: trace && traceIdOf(trace), tenant: principal?.tenant.id };
}

const clientClosed = () => new Error('The client closed the connection');

/**
 * The request's body: as a whole if all of it has arrived, so that it is sent with the headers, else as a stream. A
 * service may respond before it has read the whole body, and undici then destroys the stream. The client's own stream
 * stays open, so that it can finish and read the response.
 */
function bodyOf(request: IncomingMessage): Buffer | PassThrough {
  const length = Number(request.headers['content-length']);
  if (length > 0 && request.readableLength === length) {
    const body = request.read() as Buffer;
    // The stream ends only when it is read to its end.
    request.resume();
    return body;
  }
  // undici would send a Content-Length for a body in chunks that has arrived already: the service must see that the
  // client has sent none.
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  const body = new PassThrough(isChunked ? { readableObjectMode: true, readableHighWaterMark: 1 } : {});
  request.pipe(body);
  request.once('aborted', () => body.destroy());
  body.once('close', () => request.unpipe(body));
  return body;
}

/** Drains the rest of the client's body once the service reads no more of it. */
function drainAfter(body: PassThrough, request: IncomingMessage, status: number): void {
  if (body.closed) drainRequest(request, status);
  else body.once('close', () => drainRequest(request, status));
}

/** Names and values of the headers to send, in turn. */
function forwardedHeaders(
  headers: IncomingHttpHeaders,
  changes: Record<string, string | undefined>,
): string[] {
  const result: string[] = [];
  const dropped = hopByHopHeaders(headers.connection);
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || Object.hasOwn(changes, name) || dropped.has(name)) continue;
    result.push(name, Array.isArray(value) ? value.join(', ') : value);
  }
  for (const name in changes) {
    const value = changes[name];
    if (value !== undefined) result.push(name, value);
  }
  return result;
}

/** Headers for one connection only: the known ones, and those that `Connection` names (RFC 9110, 7.6.1). */
function hopByHopHeaders(connection: string | string[] | undefined): ReadonlySet<string> {
  if (connection === undefined || connection === 'keep-alive') return hopByHop;
  const named = String(connection)
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'close' && !hopByHop.has(name));
  return named.length === 0 ? hopByHop : new Set([...hopByHop, ...named]);
}

/** @param cookies of the gateway, in addition to those of the service */
function responseHeaders(
  headers: IncomingHttpHeaders,
  cookies: readonly string[],
): Record<string, string | string[]> {
  const dropped = hopByHopHeaders(headers.connection);
  const result: Record<string, string | string[]> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !dropped.has(name)) result[name] = value;
  }
  if (cookies.length > 0) result['set-cookie'] = [...cookies, ...[headers['set-cookie'] ?? []].flat()];
  return result;
}
