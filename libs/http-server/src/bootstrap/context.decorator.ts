import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { getRequestIdentity, type Context, type Principal, type RequestIdentity } from '@quire/context';
import type { FastifyRequest } from 'fastify';

/** Handler parameter: the operation's context, its first argument (caller, request, the tenant's data). */
export const Ctx = createParamDecorator((_: undefined, execution: ExecutionContext) =>
  contextOfRequest(execution.switchToHttp().getRequest<FastifyRequest>()),
);

/** Handler parameter: the caller, for operations of a service without data. */
export const CurrentPrincipal = createParamDecorator(
  (_: undefined, execution: ExecutionContext): Principal =>
    identityOf(execution.switchToHttp().getRequest<FastifyRequest>()).principal,
);

/** The context of a request that has been authorised. */
export function contextOfRequest(request: FastifyRequest): Context {
  const identity = identityOf(request);
  return { ...identity, db: request.server.tenantDatabase(identity.principal.tenant, identity.trace) };
}

function identityOf(request: FastifyRequest): RequestIdentity {
  const identity = getRequestIdentity(request.raw);
  if (!identity) throw new Error('The request was not authorised');
  return identity;
}
