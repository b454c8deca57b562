import { Controller, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { BodyStream, Ctx, type StreamedBody } from '@quire/http-server';
import { Idempotent, type KeyedRequest } from '@quire/idempotency';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { itemParams, itemSchema } from '../items/index.js';
import { confirmMediaUpload } from './operations/confirm-media-upload.js';
import { getMediaUploadUrl } from './operations/get-media-upload-url.js';
import { replaceMediaImage } from './operations/replace-media-image.js';
import { uploadMedia } from './operations/upload-media.js';
import { uploadPendingMedia } from './operations/upload-pending-media.js';
import { UploadDeps } from './upload-deps.js';
import {
  declaredFile,
  confirmation,
  rawFile,
  replacementForm,
  uploadForm,
  uploadTarget,
} from './uploads.schemas.js';

const shared = { tag: 'Media', access: 'media:upload', scope: 'media:write' } as const;
const oneItem = z.object({ item: itemSchema });

export const upload = declareOperation({
  ...shared,
  id: 'uploadMedia',
  method: 'POST',
  path: 'media',
  summary: 'Upload a file directly',
  stream: { mediaType: 'multipart/form-data', schema: uploadForm },
  idempotency: true,
  status: 201,
  response: oneItem,
  alternativeResponse: {
    status: 200,
    description: 'The existing item with the same bytes',
    response: z.object({ item: itemSchema, deduplicated: z.literal(true) }),
  },
  errors: ['NO_FILE', 'INVALID_TYPE', 'NOT_FOUND', 'NO_STORAGE', 'STORAGE_QUOTA_EXCEEDED'],
});

const createUploadTarget = declareOperation({
  ...shared,
  id: 'getMediaUploadUrl',
  method: 'POST',
  path: 'media/upload-url',
  summary: 'Declare a file and get an upload target for it',
  body: declaredFile,
  response: uploadTarget,
  errors: ['INVALID_TYPE', 'STORAGE_QUOTA_EXCEEDED'],
});

const receiveUpload = declareOperation({
  ...shared,
  id: 'uploadPendingMedia',
  method: 'PUT',
  path: 'media/:id/upload',
  summary: 'Upload a declared file through the service',
  params: itemParams,
  stream: { mediaType: '*/*', schema: rawFile },
  response: z.object({ uploaded: z.literal(true), size: z.number().int() }),
  errors: ['NOT_FOUND', 'NO_FILE', 'INVALID_TYPE', 'INVALID_STATE', 'UPLOAD_SIZE_MISMATCH', 'NO_STORAGE'],
  conflicts: ['INVALID_STATE'],
});

export const confirm = declareOperation({
  ...shared,
  id: 'confirmMediaUpload',
  method: 'POST',
  path: 'media/:id/confirm',
  // The store may copy a huge file before it responds, and then the copy is read.
  timeoutSeconds: 3600,
  summary: 'Confirm an upload, which verifies its file and makes the item ready',
  params: itemParams,
  body: confirmation,
  bodyIsOptional: true,
  response: oneItem,
  errors: [
    'NOT_FOUND',
    'FILE_NOT_FOUND',
    'UPLOAD_SIZE_MISMATCH',
    'INVALID_TYPE',
    'INVALID_STATE',
    'NO_STORAGE',
    'STORAGE_QUOTA_EXCEEDED',
  ],
  conflicts: ['INVALID_STATE'],
});

const replace = declareOperation({
  ...shared,
  access: 'media:edit',
  id: 'replaceMediaImage',
  method: 'PUT',
  path: 'media/:id/replace',
  summary: 'Replace the file of an image',
  params: itemParams,
  stream: { mediaType: 'multipart/form-data', schema: replacementForm },
  response: oneItem,
  errors: ['NOT_FOUND', 'NO_FILE', 'INVALID_TYPE', 'INVALID_STATE', 'NO_STORAGE', 'STORAGE_QUOTA_EXCEEDED'],
  conflicts: ['INVALID_STATE'],
});

/** Uploads to the media library (document 1, Media 4 and 5; contract 11). */
@Controller()
export class UploadsController {
  constructor(private readonly deps: UploadDeps) {}

  @Operation(upload)
  async upload(
    @Ctx() ctx: Context,
    @BodyStream() body: StreamedBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Idempotent() request: KeyedRequest | undefined,
  ) {
    const uploaded = await uploadMedia(ctx, this.deps, body, request);
    if ('deduplicated' in uploaded) void reply.status(200);
    return uploaded;
  }

  @Operation(createUploadTarget)
  createUploadTarget(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof createUploadTarget>) {
    return getMediaUploadUrl(ctx, this.deps, body);
  }

  @Operation(receiveUpload)
  receiveUpload(
    @Ctx() ctx: Context,
    @Input() { params }: InputOf<typeof receiveUpload>,
    @BodyStream() body: StreamedBody,
  ) {
    return uploadPendingMedia(ctx, this.deps, params.id, body);
  }

  @Operation(confirm)
  confirm(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof confirm>) {
    return confirmMediaUpload(ctx, this.deps, params.id, body);
  }

  @Operation(replace)
  replace(
    @Ctx() ctx: Context,
    @Input() { params }: InputOf<typeof replace>,
    @BodyStream() body: StreamedBody,
  ) {
    return replaceMediaImage(ctx, this.deps, params.id, body);
  }
}
