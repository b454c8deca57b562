import { Controller, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { BodyStream, Ctx, type StreamedBody } from '@quire/http-server';
import { declareOperation, Operation } from '@quire/operation';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { itemSchema } from '../items/index.js';
import { uploadMedia } from './operations/upload-media.js';
import { UploadServices } from './upload-services.js';
import { uploadForm } from './uploads.schemas.js';

const upload = declareOperation({
  tag: 'Media',
  access: 'media:upload',
  scope: 'media:write',
  id: 'uploadMedia',
  method: 'POST',
  path: 'media',
  summary: 'Upload a file directly',
  stream: { mediaType: 'multipart/form-data', schema: uploadForm },
  status: 201,
  response: z.object({ item: itemSchema }),
  alternative: {
    status: 200,
    description: 'The item that has the same bytes already',
    response: z.object({ item: itemSchema, deduplicated: z.literal(true) }),
  },
  errors: ['NO_FILE', 'INVALID_TYPE', 'NOT_FOUND', 'NO_STORAGE'],
});

/** Ways to bring files into the media library (document 1, Media 4 and 5; contract 11). */
@Controller()
export class UploadsController {
  constructor(private readonly services: UploadServices) {}

  @Operation(upload)
  async upload(
    @Ctx() ctx: Context,
    @BodyStream() body: StreamedBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const uploaded = await uploadMedia(ctx, this.services, body);
    if (uploaded.deduplicated) void reply.status(200);
    return uploaded;
  }
}
