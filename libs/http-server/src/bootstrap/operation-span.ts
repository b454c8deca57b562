import { internalTokenHeader, type RequestIdentity } from '@quire/context';
import type { OperationDeclaration } from '@quire/operation';
import { startSpan } from '@quire/tracing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from './paths.js';

/**
 * Starts the span of an operation, which ends with the response. Its context becomes that of the request. The path has
 * the names of its parameters: a value may be a token.
 */
export function startOperationSpan({
  service,
  declaration: { id, method, path },
  identity,
  request,
  reply,
}: {
  service: string;
  declaration: Pick<OperationDeclaration, 'id' | 'method' | 'path'>;
  identity: RequestIdentity;
  request: FastifyRequest;
  reply: FastifyReply;
}): void {
  // Calls of polls and sweeps have no trace.
  if (identity.trace === undefined) return;
  const route = pathOf(path);
  // A gateway in the same process calls the service without a token.
  const isRemote = request.headers[internalTokenHeader] !== undefined;
  const span = startSpan(`${method} ${route}`, {
    kind: isRemote ? 'server' : 'internal',
    parent: identity.trace,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'quire.service': service,
      'quire.operation': id,
      'quire.tenant': identity.principal.tenant.id,
    },
  });
  if (!span) return;
  identity.trace = span.trace;
  const { raw: response } = reply;
  response.once('close', () => {
    const { statusCode } = response;
    span.setAttributes({ 'http.response.status_code': statusCode });
    span.end(statusCode >= 500 ? { code: String(statusCode) } : undefined);
  });
}
