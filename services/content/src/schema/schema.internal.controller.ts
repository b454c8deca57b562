import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { getFileTypes } from './operations/get-file-types.js';

const fileTypes = declareOperation({
  id: 'internalFileTypesOfField',
  method: 'POST',
  path: 'internal/content/file-types',
  summary: 'Say which types of files a field takes, for the media service to check an upload',
  tag: 'Internal',
  access: 'internal',
  scope: null,
  documented: false,
  body: z.object({ fieldId: z.string() }),
  response: z.object({ allowedMimeTypes: z.array(z.string()).nullable() }),
  errors: ['NOT_FOUND'],
});

@Controller()
export class SchemaInternalController {
  @Operation(fileTypes)
  fileTypes(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof fileTypes>) {
    return getFileTypes(ctx, body.fieldId);
  }
}
