import {
  clientAddressHeader,
  gatewayIssuer,
  internalTokenHeader,
  originHeader,
  requestIdHeader,
  type InternalTokenSigner,
  type TokenBinding,
} from '@quire/context';
import { envelopeOnly, type ErrorRenderer } from '@quire/http-server';
import { toolPath } from '@quire/mcp-tools';
import type { Logger } from '@quire/observability';
import { traceHeader } from '@quire/tracing';
import { Agent, type Dispatcher } from 'undici';
import { forwardRequest } from './forward-request.js';
import { parseError } from './parse-error.js';
import type { InternalCaller, ServiceUpstream } from './service-upstream.js';
import { isTimeout, toUpstreamError } from './upstream-error.js';

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
      forwardRequest({ dispatcher: agent, origin, logger, service, renderError }, request, response, options),
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
      { principal, requestId, clientAddress, origin: siteOrigin, trace },
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
        trace,
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
          if (!isSafe || isTimeout(error)) throw error;
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
      const response = await agent.request({ origin, path: '/healthz', method: 'GET', signal });
      await response.body.dump();
      if (response.statusCode !== 200) throw new Error(`${service} does not respond`);
    },
    close: () => agent.close(),
  };
}

/** Headers that prove the caller to another process. */
function callerHeaders(
  signer: InternalTokenSigner,
  { issuer, principal, requestId, clientAddress, origin, trace }: InternalCaller,
  binding: TokenBinding,
): Record<string, string> {
  return {
    [internalTokenHeader]: signer.sign(issuer, principal, binding),
    ...(requestId === undefined ? {} : { [requestIdHeader]: requestId }),
    ...(clientAddress ? { [clientAddressHeader]: clientAddress } : {}),
    ...(origin === undefined ? {} : { [originHeader]: origin }),
    ...(trace === undefined ? {} : { [traceHeader]: trace }),
  };
}
