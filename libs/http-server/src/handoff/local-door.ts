import type { FastifyInstance } from 'fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ServiceDoor } from './service-door.js';

/** A service in this process: the raw request goes straight to its router, without a socket. */
export function localDoor(service: string, app: NestFastifyApplication): ServiceDoor {
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  return {
    service,
    isLocal: true,
    handle: (request, response) => fastify.routing(request, response),
    async ask(path, body, headers = {}) {
      const answer = await fastify.inject({
        method: body === undefined ? 'GET' : 'POST',
        url: path,
        headers,
        ...(body === undefined ? {} : { payload: body as object }),
      });
      return { status: answer.statusCode, text: answer.payload };
    },
    ping: () => Promise.resolve(),
    close: () => app.close(),
  };
}
