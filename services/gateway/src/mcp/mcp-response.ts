import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { QuireError, securityHeaders, toErrorResponse } from '@quire/errors';
import { drainRequest } from '@quire/http-server';
import { errorText, RpcError, rpcCode } from './json-rpc.js';

/** An HTTP exchange. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Sends the text of responses, or 202 without one: there was no request in the body. */
export function sendResult({ response }: Exchange, text: string | undefined): void {
  if (text === undefined) response.writeHead(202, securityHeaders).end();
  else response.writeHead(200, { ...securityHeaders, ...jsonHeaders(text) }).end(text);
}

/** Sends a JSON-RPC error as the whole response. */
export function sendRpcError({ request, response }: Exchange, id: RequestId | null, error: RpcError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, extra } = error;
  const text = errorText(id, error);
  response.writeHead(status, {
    ...securityHeaders,
    ...jsonHeaders(text),
    ...(status === 405 ? { allow: 'POST' } : {}),
    ...(extra.retryAfterSeconds === undefined ? {} : { 'retry-after': String(extra.retryAfterSeconds) }),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
  drainRequest(request, status);
}

/**
 * Sends the error of missing or invalid credentials, with the address at which clients find the authorization server
 * (spec document 2, Authentication).
 * @param origin of the site
 */
export function sendUnauthorized({ request, response }: Exchange, error: QuireError, origin: string): void {
  const { status, headers, body } = toErrorResponse(error);
  const text = JSON.stringify(body);
  const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"`;
  response.writeHead(status, { ...headers, ...jsonHeaders(text), 'www-authenticate': challenge });
  response.end(text);
  drainRequest(request, status);
}

/** The JSON-RPC error for a failure outside tools: of the transport, or an unexpected one without its cause. */
export function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (!(error instanceof QuireError) || error.status >= 500) return internalError(error);
  if (error.code === 'PAYLOAD_TOO_LARGE') return new RpcError(rpcCode.transport, error.message, error.status);
  return new RpcError(rpcCode.invalidRequest, `Invalid Request: ${error.message}`, 400);
}

/** A service that is unavailable keeps its status, so that clients retry. */
function internalError(error: unknown): RpcError {
  const { status = 500, retryAfterSeconds } = error instanceof QuireError ? error : {};
  return new RpcError(rpcCode.internalError, 'Internal server error', status, {
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

function jsonHeaders(text: string): Record<string, string | number> {
  return { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
}
