import {
  getRequestIdentity,
  setRequestIdentity,
  clientAddressHeader,
  originHeader,
  requestIdHeader,
  type InternalTokenVerifier,
  type Principal,
} from '@quire/context';
import { authorise, declarationOfRequest, notAuthenticated } from '@quire/operation';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import passport from 'passport';
import { InternalTokenStrategy } from './internal-token.strategy.js';

/**
 * Lets a request through when the operation's own declaration does, before a byte of its body is read (design 3). The
 * principal lies beside the raw request when the caller runs in this process; otherwise the internal token vouches for
 * it.
 */
export function authoriseRequests(
  fastify: FastifyInstance,
  { service, verifier }: { service: string; verifier: InternalTokenVerifier },
): void {
  // An authenticator of its own: passport's default one is shared by all services of a process.
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
    const identity = getRequestIdentity(request.raw);
    if (identity) return decide(identity.principal);
    verifyToken(request, reply, (principal) => {
      if (principal) setRequestIdentity(request.raw, toRequestIdentity(request, principal));
      decide(principal);
    });
  });
}

/** Only Quire's own processes get this far, so what their headers say counts. */
function toRequestIdentity({ headers }: FastifyRequest, principal: Principal) {
  return {
    principal,
    requestId: textOf(headers[requestIdHeader]) ?? '',
    clientAddress: textOf(headers[clientAddressHeader]),
    origin: textOf(headers[originHeader]),
  };
}

function textOf(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}
