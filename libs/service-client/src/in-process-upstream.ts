import { withIdentityTicket, type RequestIdentity } from '@quire/context';
import { ToolExecutor } from '@quire/mcp-tools';
import type { FastifyInstance } from 'fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { InternalCaller, ServiceUpstream } from './service-upstream.js';

/** A service in this process: the raw request goes straight to its router, without a socket. */
export function inProcessUpstream(service: string, app: NestFastifyApplication): ServiceUpstream {
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  let executor: ToolExecutor | undefined;
  const toolExecutor = (): ToolExecutor =>
    (executor ??= app.get<ToolExecutor>(ToolExecutor, { strict: false }));
  return {
    service,
    isLocal: true,
    handle: (request, response) => fastify.routing(request, response),
    async request(path, body, caller) {
      const inject = (headers: Record<string, string>) =>
        fastify.inject({
          method: body === undefined ? 'GET' : 'POST',
          url: path,
          headers,
          ...(body === undefined ? {} : { payload: body as object }),
        });
      const response = await (caller ? withIdentityTicket(toRequestIdentity(caller), inject) : inject({}));
      return { status: response.statusCode, text: response.payload };
    },
    callTool(identity, call) {
      return toolExecutor().call(
        { ...identity, db: fastify.tenantDatabase(identity.principal.tenant, identity.trace) },
        call,
      );
    },
    ping: () => Promise.resolve(),
    close: () => app.close(),
  };
}

function toRequestIdentity({
  principal,
  requestId = '',
  clientAddress = null,
  origin,
  trace,
}: InternalCaller): RequestIdentity {
  return { principal, requestId, clientAddress, origin: origin ?? null, trace };
}
