import { Controller, Req, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, type InputOf, Operation, storableText } from '@quire/operation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { MediaObjects } from '../objects/index.js';
import { getFile } from './operations/get-file.js';
import { sendFile } from './send-file.js';

const get = declareOperation({
  tag: 'Media',
  access: 'public',
  scope: null,
  documented: false,
  id: 'getMediaFile',
  method: 'GET',
  path: 'media/file/:key',
  summary: 'Get the bytes of a file',
  params: z.object({ key: storableText(z.string().max(512)) }),
  response: z.unknown(),
  errors: ['NOT_FOUND'],
});

/** The files themselves, for anybody (contract 11). */
@Controller()
export class FilesController {
  constructor(private readonly objects: MediaObjects) {}

  @Operation(get)
  async get(
    @Ctx() ctx: Context,
    @Input() { params }: InputOf<typeof get>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers;
    const answer = await getFile(ctx, this.objects, {
      storageKey: params.key,
      isHeadOnly: request.method === 'HEAD',
      range,
      ifRange: typeof ifRange === 'string' ? ifRange : undefined,
      ifNoneMatch,
    });
    reply.hijack();
    sendFile(reply.raw, answer);
  }
}
