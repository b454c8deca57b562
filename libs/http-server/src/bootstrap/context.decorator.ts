import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import {
  attachedHandoff,
  clientAddressHeader,
  originHeader,
  requestIdHeader,
  type Context,
} from '@quire/context';
import type { IdentifiedRequest } from '@quire/operation';

/** Handler parameter: the operation's context, its first argument (who, which request, the tenant's data). */
export const Ctx = createParamDecorator((_: undefined, execution: ExecutionContext) => contextOf(execution));

/** The context of a request that the guard has let through. */
export function contextOf(execution: ExecutionContext): Context {
  const request = execution.switchToHttp().getRequest<IdentifiedRequest>();
  const principal = request.user;
  const { requestId, clientAddress, origin } = attachedHandoff(request.raw) ?? {
    requestId: textOf(request.headers[requestIdHeader]),
    // Only Quire's own targets get this far: the guard has verified their token.
    clientAddress: textOf(request.headers[clientAddressHeader]),
    origin: textOf(request.headers[originHeader]),
  };
  return {
    principal,
    requestId: requestId ?? '',
    clientAddress,
    origin,
    db: request.server.tenantDatabase(principal.tenant),
  };
}

function textOf(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}
