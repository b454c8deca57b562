import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { contentApi } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { EntryDeps } from '../../entries/index.js';
import { getMediaReferences, getMediaReferrers } from './media-references.operations.js';

/** What refers to media items, for the media service. */
@Controller()
export class MediaReferencesInternalController {
  constructor(private readonly deps: EntryDeps) {}

  @Operation(contentApi.getMediaReferences)
  getMediaReferences(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof contentApi.getMediaReferences>,
  ): Promise<contentApi.MediaReferencesPage> {
    return getMediaReferences(ctx, this.deps, body);
  }

  @Operation(contentApi.getMediaReferrers)
  getMediaReferrers(@Ctx() ctx: Context): Promise<contentApi.MediaReferrers> {
    return getMediaReferrers(ctx);
  }
}
