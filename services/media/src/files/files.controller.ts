import { Controller, Req, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx, sendBytes } from '@quire/http-server';
import { declareOperation, Input, type InputOf, Operation, storableText } from '@quire/operation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { MediaObjects } from '../objects/index.js';
import { variantQuery, Variants, VariantSignatures } from '../variants/index.js';
import { getMediaFile } from './operations/get-media-file.js';

const get = declareOperation({
  tag: 'Media',
  access: 'public',
  scope: null,
  isDocumented: false,
  id: 'getMediaFile',
  method: 'GET',
  path: 'media/file/:key',
  summary: 'Get the bytes of a file, or of a variant of an image',
  params: z.object({ key: storableText(z.string().max(512)) }),
  query: variantQuery,
  response: z.unknown(),
  errors: ['NOT_FOUND', 'NO_STORAGE', 'INSUFFICIENT_SCOPE', 'RATE_LIMITED'],
});

/** Public responses with the bytes of files (contract 11). */
@Controller()
export class FilesController {
  constructor(
    readonly objects: MediaObjects,
    readonly variants: Variants,
    readonly signatures: VariantSignatures,
  ) {}

  @Operation(get)
  async get(
    @Ctx() ctx: Context,
    @Input() { params, query }: InputOf<typeof get>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers;
    const file = await getMediaFile(ctx, this, {
      storageKey: params.key,
      query,
      isHeadOnly: request.method === 'HEAD',
      range,
      ifRange: typeof ifRange === 'string' ? ifRange : undefined,
      ifNoneMatch,
    });
    reply.hijack();
    sendBytes(reply.raw, file);
  }
}
