import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { attachedHandoff, requestIdHeader, type Context } from '@quire/context';
import type { IdentifiedRequest } from '@quire/operation';

/** Handler parameter: the operation's context, its first argument (who, which request, the tenant's data). */
export const Ctx = createParamDecorator((_: undefined, execution: ExecutionContext): Context => {
  const request = execution.switchToHttp().getRequest<IdentifiedRequest>();
  const principal = request.user;
  const requestId = attachedHandoff(request.raw)?.requestId ?? request.headers[requestIdHeader];
  return {
    principal,
    requestId: String(requestId ?? ''),
    db: request.server.tenantDatabase(principal.tenant),
  };
});
