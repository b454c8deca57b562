import { Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import { mediaApi } from '@quire/internal-api';
import { declareTool, textArgument, Tool, type ToolInputOf } from '@quire/mcp-tools';
import { z } from 'zod';
import { itemText } from '../items/index.js';
import { isBase64 } from './base64.js';
import { confirmUploadByKey } from './operations/confirm-media-upload.js';
import { uploadMediaBytes } from './operations/upload-media-bytes.js';
import { UploadDeps } from './upload-deps.js';
import * as operations from './uploads.controller.js';
import { declaredFile } from './uploads.schemas.js';

const allowedTypes = mediaApi.defaultAllowedTypes
  .map((type) => (type.endsWith('/') ? `${type}*` : type))
  .join(', ');

const upload = declareTool(operations.upload, {
  name: 'media_upload',
  title: 'Upload Media',
  description:
    'Uploads an image (photo) or other file, whose bytes are in the call, and returns its media item. deduplicated: true means that the item existed with the same bytes. For large files use POST /_cms/api/media/upload-url and media_create.',
  annotations: { destructiveHint: false },
  input: z.object({
    filename: declaredFile.shape.filename.describe('Name of the file, with its extension'),
    base64: z
      .string()
      .min(1)
      .refine(isBase64, 'must be base64 with padding, without a data: prefix and line breaks')
      .describe('Bytes of the file in base64; {maxUploadBytes} bytes at most before encoding'),
    contentType: declaredFile.shape.contentType.describe(`Type of the bytes. Allowed: ${allowedTypes}`),
    alt: itemText.alt.optional().describe('Text for people who do not see the image'),
    caption: itemText.caption.optional().describe('Caption'),
  }),
});

/** Confirming needs the right to edit the own item in addition to that of the operation. */
const confirm = declareTool(
  { ...operations.confirm, access: 'media:edit' },
  {
    name: 'media_create',
    title: 'Confirm Signed Media Upload',
    description:
      'Verifies a file that the same user uploaded to the signed URL of POST /_cms/api/media/upload-url, and returns its media item, which is then ready.',
    input: z.object({
      storageKey: textArgument('storageKey from the response of POST /_cms/api/media/upload-url', 512),
    }),
  },
);

/** Tools of uploads (spec document 2, rules 7 and 8; contract 7). */
@Injectable()
export class UploadTools {
  constructor(private readonly deps: UploadDeps) {}

  @Tool(upload)
  upload(ctx: Context, { base64, ...file }: ToolInputOf<typeof upload>) {
    return uploadMediaBytes(ctx, this.deps, { ...file, bytes: Buffer.from(base64, 'base64') });
  }

  @Tool(confirm)
  confirm(ctx: Context, { storageKey }: ToolInputOf<typeof confirm>) {
    return confirmUploadByKey(ctx, this.deps, storageKey);
  }
}
