import { QuireError } from '@quire/errors';
import type { OperationDeclaration } from '@quire/operation';
import type { FastifyInstance } from 'fastify';
import { sendError } from './error-filter.js';
import { apiPrefix } from './paths.js';

/** 404 in the envelope for an unknown path; 405 with Allow for a known path and the wrong method (contract 1). */
export function answerUnknownRoutes(
  fastify: FastifyInstance,
  operations: readonly OperationDeclaration[],
): void {
  const routes = operations.map(({ method, path }) => ({ method, pattern: patternOf(path) }));
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const path = request.url.split('?', 1)[0] ?? '';
    const allowed = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    const error =
      allowed.length > 0
        ? new QuireError('METHOD_NOT_ALLOWED', `This path takes ${allowed.join(', ')}`)
        : new QuireError('NOT_FOUND', 'There is nothing at this path');
    if (allowed.length > 0) reply.header('allow', allowed.join(', '));
    sendError(reply, error);
  });
}

function patternOf(path: string): RegExp {
  const segments = path.split('/').filter(Boolean);
  const pattern = segments.map((segment) =>
    segment.startsWith(':') ? '[^/]+' : segment.replaceAll('.', '\\.'),
  );
  return new RegExp(`^${apiPrefix}/${pattern.join('/')}/?$`);
}
