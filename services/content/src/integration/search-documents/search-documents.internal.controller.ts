import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { contentApi } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { getSearchDocuments } from './search-documents.operations.js';

/** The searchable text of entries, for the search service. */
@Controller()
export class SearchDocumentsInternalController {
  @Operation(contentApi.getSearchDocuments)
  getSearchDocuments(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof contentApi.getSearchDocuments>,
  ): Promise<contentApi.SearchDocuments> {
    return getSearchDocuments(ctx, body);
  }
}
