import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { EntryDeps } from '../../entries/index.js';
import { mediaReferencesResponse, mediaReferencesBody } from './media-references.schemas.js';
import { getMediaReferences } from './operations/get-media-references.js';

const references = declareOperation({
  id: 'internalMediaReferences',
  method: 'POST',
  path: 'internal/content/media-references',
  summary: 'Which media items entries refer to, for the media service to index',
  tag: 'Internal',
  access: 'internal',
  scope: null,
  isDocumented: false,
  body: mediaReferencesBody,
  response: mediaReferencesResponse,
  errors: ['COLLECTION_NOT_FOUND'],
});

@Controller()
export class MediaReferencesController {
  constructor(private readonly deps: EntryDeps) {}

  @Operation(references)
  references(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof references>) {
    return getMediaReferences(ctx, this.deps, body);
  }
}
