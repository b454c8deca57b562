import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, pipeline } from 'node:stream';
import {
  clientAddressHeader,
  gatewayIssuer,
  internalTokenHeader,
  originHeader,
  requestIdHeader,
  type InternalTokenSigner,
  type TokenBinding,
} from '@quire/context';
import { QuireError } from '@quire/errors';
import {
  cookiesOf,
  drainRequest,
  envelopeOnly,
  writeErrorResponse,
  type ErrorRenderer,
} from '@quire/http-server';
import { toolPath } from '@quire/mcp-tools';
import type { Logger } from '@quire/observability';
import { Agent, type Dispatcher } from 'undici';
import { parseError } from './parse-error.js';
import type { ForwardOptions, InternalCaller, ServiceUpstream } from './service-upstream.js';

/**
 * Timeouts in milliseconds: to accept a connection, to begin the response (operations may declare `timeoutSeconds`),
 * between parts of it.
 */
export interface ProxyTimeouts {
  connectMs: number;
  headersMs: number;
  bodyMs: number;
}
const defaultTimeouts: ProxyTimeouts = { connectMs: 3_000, headersMs: 60_000, bodyMs: 300_000 };
const keepAliveMs = 30_000;
/** High, so that slow clients do not block the others. */
const connectionsPerService = 1024;
const pingTimeoutMs = 2_000;
const retryAfterSeconds = 2;

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
const notConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

export interface HttpUpstreamOptions {
  logger: Logger;
  signer: InternalTokenSigner;
  proxyTimeouts?: ProxyTimeouts;
  /** Renders the errors of forwarded requests; without one every error is an envelope. */
  renderError?: ErrorRenderer;
}

/**
 * A service in another process, behind keep-alive connections. Bodies stream both ways; safe methods are retried once.
 */
export function httpUpstream(
  service: string,
  origin: string,
  { logger, signer, proxyTimeouts = defaultTimeouts, renderError = envelopeOnly }: HttpUpstreamOptions,
): ServiceUpstream {
  const agent = new Agent({
    connections: connectionsPerService,
    connect: { timeout: proxyTimeouts.connectMs },
    headersTimeout: proxyTimeouts.headersMs,
    bodyTimeout: proxyTimeouts.bodyMs,
    keepAliveTimeout: keepAliveMs,
  });
  return {
    service,
    isLocal: false,
    handle: (request, response, options) =>
      void forward({ agent, origin, logger, service, renderError }, request, response, options),
    async request(path, body, caller, { timeoutMs } = {}) {
      const method = body === undefined ? 'GET' : 'POST';
      const headers = caller ? callerHeaders(signer, caller, { service, method, path }) : {};
      try {
        const response = await agent.request({
          origin,
          path,
          method,
          headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
          body: body === undefined ? null : JSON.stringify(body),
          ...(timeoutMs === undefined ? {} : { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }),
        });
        return { status: response.statusCode, text: await response.body.text() };
      } catch (error) {
        throw toUpstreamError(service, error);
      }
    },
    async callTool(
      { principal, requestId, clientAddress, origin: siteOrigin },
      call,
      { timeoutSeconds, isSafe = false } = {},
    ) {
      const path = toolPath(service, call.tool);
      const binding = { service, method: 'POST', path };
      const caller = {
        issuer: gatewayIssuer,
        principal,
        requestId,
        clientAddress,
        ...(siteOrigin === null ? {} : { origin: siteOrigin }),
      };
      const headers = { ...callerHeaders(signer, caller, binding), 'content-type': 'application/json' };
      const body = call.argumentsText ?? JSON.stringify(call.arguments);
      const options: Dispatcher.RequestOptions = {
        origin,
        path,
        method: 'POST',
        headers,
        body,
        ...(timeoutSeconds === undefined ? {} : { headersTimeout: timeoutSeconds * 1000 }),
      };
      const response = await agent
        .request(options)
        .catch((error: unknown) => {
          if (!isSafe || timeouts.has(codeOf(error))) throw error;
          return agent.request(options);
        })
        .catch((error: unknown) => {
          throw toUpstreamError(service, error);
        });
      const text = await response.body.text().catch((error: unknown) => {
        throw toUpstreamError(service, error);
      });
      if (response.statusCode === 200) return text;
      throw (
        parseError(text, response.headers['retry-after']) ?? new Error(`${service}: ${response.statusCode}`)
      );
    },
    async ping() {
      const signal = AbortSignal.timeout(pingTimeoutMs);
      const response = await agent.request({ origin, path: '/readyz', method: 'GET', signal });
      await response.body.dump();
      if (response.statusCode !== 200) throw new Error(`${service} is not ready`);
    },
    close: () => agent.close(),
  };
}

interface UpstreamConnection {
  agent: Agent;
  origin: string;
  logger: Logger;
  service: string;
  renderError: ErrorRenderer;
}

async function forward(
  { agent, origin, logger, service, renderError }: UpstreamConnection,
  request: IncomingMessage,
  response: ServerResponse,
  { headers = {}, timeoutSeconds }: ForwardOptions,
): Promise<void> {
  const method = request.method as Dispatcher.HttpMethod;
  const isSafe = safeMethods.has(method);
  const aborted = new AbortController();
  response.once('close', () => aborted.abort());
  const body = isSafe ? null : bodyOf(request);
  const options: Dispatcher.RequestOptions = {
    origin,
    path: request.url ?? '/',
    method,
    headers: forwardedHeaders(request, headers),
    body,
    signal: aborted.signal,
    ...(timeoutSeconds === undefined ? {} : { headersTimeout: timeoutSeconds * 1000 }),
  };
  try {
    const upstreamResponse = await agent.request(options).catch((error: unknown) => {
      if (!isSafe || aborted.signal.aborted || timeouts.has(codeOf(error))) throw error;
      return agent.request(options);
    });
    if (body) drainAfter(body, request, upstreamResponse.statusCode);
    response.writeHead(
      upstreamResponse.statusCode,
      responseHeaders(upstreamResponse.headers, cookiesOf(response)),
    );
    pipeline(upstreamResponse.body, response, (error) => {
      if (error && !aborted.signal.aborted) logger.warn({ service, err: error }, 'upstream response aborted');
    });
  } catch (error) {
    if (aborted.signal.aborted) return;
    logger.warn({ service, method, err: error }, 'upstream request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    writeErrorResponse(request, response, toUpstreamError(service, error), renderError);
  }
}

/**
 * The request's body as a stream to forward. A service may respond before it has read the whole body, and undici then
 * destroys the stream. The client's own stream stays open, so that it can finish and read the response.
 */
function bodyOf(request: IncomingMessage): PassThrough {
  // undici would send a Content-Length for a body in chunks that has arrived already: the service must see that the
  // client has sent none.
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  const body = new PassThrough(isChunked ? { readableObjectMode: true, readableHighWaterMark: 1 } : {});
  request.pipe(body);
  request.once('aborted', () => body.destroy());
  body.once('close', () => request.unpipe(body));
  return body;
}

/** Headers that prove the caller to another process. */
function callerHeaders(
  signer: InternalTokenSigner,
  { issuer, principal, requestId, clientAddress, origin }: InternalCaller,
  binding: TokenBinding,
): Record<string, string> {
  return {
    [internalTokenHeader]: signer.sign(issuer, principal, binding),
    ...(requestId === undefined ? {} : { [requestIdHeader]: requestId }),
    ...(clientAddress ? { [clientAddressHeader]: clientAddress } : {}),
    ...(origin === undefined ? {} : { [originHeader]: origin }),
  };
}

/** Drains the rest of the client's body once the service reads no more of it. */
function drainAfter(body: PassThrough, request: IncomingMessage, status: number): void {
  if (body.closed) drainRequest(request, status);
  else body.once('close', () => drainRequest(request, status));
}

function forwardedHeaders(
  request: IncomingMessage,
  changes: Record<string, string | undefined>,
): Record<string, string> {
  const result: Record<string, string> = {};
  const dropped = hopByHopHeaders(request.headers.connection);
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || dropped.has(name)) continue;
    result[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) delete result[name];
    else result[name] = value;
  }
  return result;
}

/** Headers for one connection only: the known ones, and those that `Connection` names (RFC 9110, 7.6.1). */
function hopByHopHeaders(connection: string | string[] | undefined): ReadonlySet<string> {
  const named = String(connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'close' && !hopByHop.has(name));
  return named.length === 0 ? hopByHop : new Set([...hopByHop, ...named]);
}

/** @param cookies of the gateway, in addition to those of the service */
function responseHeaders(
  headers: Record<string, string | string[] | undefined>,
  cookies: readonly string[],
): Record<string, string | string[]> {
  const dropped = hopByHopHeaders(headers['connection']);
  const forwarded = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && !dropped.has(name),
  );
  const result = Object.fromEntries(forwarded) as Record<string, string | string[]>;
  const set = [...cookies, ...[result['set-cookie'] ?? []].flat()];
  return set.length === 0 ? result : { ...result, 'set-cookie': set };
}

function toUpstreamError(service: string, error: unknown): QuireError {
  if (timeouts.has(codeOf(error))) {
    return new QuireError('GATEWAY_TIMEOUT', `The ${service} service timed out`, {
      cause: error,
    });
  }
  if (notConnected.has(codeOf(error))) {
    return new QuireError('SERVICE_UNAVAILABLE', `The ${service} service is not running; retry later`, {
      retryAfterSeconds,
      cause: error,
    });
  }
  return new QuireError('BAD_GATEWAY', `The ${service} service closed the connection`, { cause: error });
}

function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return code ?? cause?.code ?? '';
}
