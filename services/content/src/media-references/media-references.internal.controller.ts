import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { EntryServices } from '../entries/index.js';
import { mediaReferencesAnswer, mediaReferencesBody } from './media-references.schemas.js';
import { readMediaReferences } from './operations/read-media-references.js';

const references = declareOperation({
  id: 'internalMediaReferences',
  method: 'POST',
  path: 'internal/content/media-references',
  summary: 'Which media items entries refer to, for the media service to index',
  tag: 'Internal',
  access: 'internal',
  scope: null,
  documented: false,
  body: mediaReferencesBody,
  response: mediaReferencesAnswer,
  errors: ['COLLECTION_NOT_FOUND'],
});

@Controller()
export class MediaReferencesController {
  constructor(private readonly services: EntryServices) {}

  @Operation(references)
  references(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof references>) {
    return readMediaReferences(ctx, this.services, body);
  }
}
