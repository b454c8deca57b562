import { Controller, Inject, Res } from '@nestjs/common';
import { declareOperation, Operation } from '@quire/operation';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';

/** Returns the whole document as JSON text. */
export type DocumentSource = () => Promise<string>;
export const documentSource = Symbol('documentSource');

const getOpenApi = declareOperation({
  id: 'getOpenApi',
  method: 'GET',
  path: 'openapi.json',
  summary: 'Get the OpenAPI document',
  tag: 'Documentation',
  access: 'public',
  underEdgeAccess: 'public',
  scope: null,
  isDocumented: false,
  response: z.unknown(),
});

/** `GET {api}/openapi.json`: public from any origin, without an envelope. It has no data of sites (contract 4, 37). */
@Controller()
export class OpenApiController {
  constructor(@Inject(documentSource) private readonly source: DocumentSource) {}

  @Operation(getOpenApi)
  async getOpenApi(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply
      .header('access-control-allow-origin', '*')
      .header('content-type', 'application/json; charset=utf-8');
    return this.source();
  }
}
