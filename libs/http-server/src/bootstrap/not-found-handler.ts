import { QuireError } from '@quire/errors';
import type { OperationDeclaration } from '@quire/operation';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ErrorRenderer } from '../errors/error-renderer.js';
import { sendError } from './error-filter.js';
import { pathOf } from './paths.js';

const preflightSeconds = 86_400;

/**
 * Responds to requests without a route: 404 for an unknown path; 405 with Allow for a known path and another method
 * (contract 1); a preflight response to OPTIONS where scripts of other origins may call.
 */
export function registerNotFoundHandler(
  fastify: FastifyInstance,
  operations: readonly OperationDeclaration[],
  renderError: ErrorRenderer,
): void {
  const routes = operations.map(({ method, path, crossOrigin, crossOriginHeaders = ['Content-Type'] }) => ({
    method,
    crossOrigin,
    crossOriginHeaders,
    pattern: patternOf(path),
  }));
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const path = request.url.split('?', 1)[0] ?? '';
    const here = routes.filter(({ pattern }) => pattern.test(path));
    const open = here.filter(({ crossOrigin }) => crossOrigin);
    if (request.method === 'OPTIONS' && open.length > 0) {
      sendPreflightResponse(reply, {
        methods: open.map(({ method }) => method),
        headers: open.flatMap(({ crossOriginHeaders }) => crossOriginHeaders),
      });
      return;
    }
    const allowed = here.map(({ method }) => method);
    const error =
      allowed.length > 0
        ? new QuireError('METHOD_NOT_ALLOWED', `Allowed methods: ${allowed.join(', ')}`)
        : new QuireError('NOT_FOUND', 'Not found');
    if (allowed.length > 0) reply.header('allow', allowed.join(', '));
    sendError(reply, error, renderError);
  });
}

/** Sends the CORS headers that allow scripts of any origin. */
function sendPreflightResponse(
  reply: FastifyReply,
  { methods, headers }: { methods: readonly string[]; headers: readonly string[] },
): void {
  void reply
    .status(204)
    .headers({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': [...methods, 'OPTIONS'].join(', '),
      'access-control-allow-headers': [...new Set(headers)].join(', '),
      'access-control-max-age': String(preflightSeconds),
    })
    .send();
}

function patternOf(path: string): RegExp {
  const segments = pathOf(path).split('/').filter(Boolean);
  const pattern = segments.map((segment) => {
    if (segment === '*') return '.+';
    return segment.startsWith(':') ? '[^/]+' : segment.replaceAll('.', '\\.');
  });
  return new RegExp(`^/${pattern.join('/')}/?$`);
}
