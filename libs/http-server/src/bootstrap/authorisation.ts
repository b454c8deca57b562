import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import {
  getRequestIdentity,
  setRequestIdentity,
  clientAddressHeader,
  internalTokenHeader,
  originHeader,
  requestIdHeader,
  type InternalTokenVerifier,
  type Principal,
  type RequestIdentity,
} from '@quire/context';
import { authorise, declarationOfRequest, notAuthenticated } from '@quire/operation';
import { parseTraceparent, traceHeader } from '@quire/tracing';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import passport from 'passport';
import { InternalTokenStrategy } from './internal-token.strategy.js';
import { startOperationSpan } from './operation-span.js';

/**
 * Authorises each request by the declaration of its operation, before its body is read (design 3). The principal is
 * attached to the raw request when the caller runs in this process; otherwise the internal token proves it.
 */
export function authoriseRequests(
  fastify: FastifyInstance,
  { service, verifier }: { service: string; verifier: InternalTokenVerifier },
): void {
  // A separate authenticator: passport's default one is shared by all services of a process.
  const authenticator = new passport.Passport();
  const strategy = new InternalTokenStrategy(service, verifier);
  authenticator.use('internal-token', strategy as unknown as passport.Strategy);

  const verifyToken = (
    request: FastifyRequest,
    reply: FastifyReply,
    done: (principal: Principal | undefined) => void,
  ) => {
    const authenticate = authenticator.authenticate(
      'internal-token',
      { session: false },
      (_error: unknown, principal: Principal | false) => done(principal || undefined),
    ) as (request: FastifyRequest, reply: FastifyReply) => void;
    authenticate(request, reply);
  };

  fastify.addHook('onRequest', (request, reply, done) => {
    const declaration = declarationOfRequest(request);
    if (!declaration) return done();
    const decide = (principal: Principal | undefined) => {
      try {
        if (!principal) throw notAuthenticated();
        authorise(declaration, principal);
        done();
      } catch (error) {
        done(error as Error);
      }
    };
    const begin = (identity: RequestIdentity) => {
      identity.operation = declaration.id;
      startOperationSpan({ service, declaration, identity, request, reply });
      decide(identity.principal);
    };
    const identity = getRequestIdentity(request.raw);
    if (identity) return begin(identity);
    verifyToken(request, reply, (principal) => {
      if (!principal) return decide(undefined);
      const received = toRequestIdentity(request.headers, principal);
      setRequestIdentity(request.raw, received);
      begin(received);
    });
  });
}

/**
 * Verifies the internal token of a request and attaches the identity, so that the service does not verify it again.
 * For processes that route by the token.
 * @returns false for a request without a valid token for this service and path
 */
export function attachInternalIdentity(
  request: IncomingMessage,
  { service, verifier }: { service: string; verifier: InternalTokenVerifier },
): boolean {
  const { url = '/', method = 'GET', headers } = request;
  const token = textOf(headers[internalTokenHeader]);
  if (token === null) return false;
  const [path = ''] = url.split('?', 1);
  try {
    const principal = verifier.verify(token, { service, method, path });
    setRequestIdentity(request, toRequestIdentity(headers, principal));
    return true;
  } catch {
    return false;
  }
}

/** The headers are trusted, because the internal token proves that a process of this installation sent them. */
function toRequestIdentity(headers: IncomingHttpHeaders, principal: Principal): RequestIdentity {
  return {
    principal,
    requestId: textOf(headers[requestIdHeader]) ?? '',
    clientAddress: textOf(headers[clientAddressHeader]),
    origin: textOf(headers[originHeader]),
    trace: parseTraceparent(headers[traceHeader]),
  };
}

function textOf(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}
