import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { getSearchDocuments } from './operations/get-search-documents.js';
import { searchDocumentsResponse, searchDocumentsBody } from './search-documents.schemas.js';

const documents = declareOperation({
  id: 'internalSearchDocuments',
  method: 'POST',
  path: 'internal/content/search-documents',
  summary: 'What can be found of entries, for the search service to keep',
  tag: 'Internal',
  access: 'internal',
  scope: null,
  isDocumented: false,
  body: searchDocumentsBody,
  response: searchDocumentsResponse,
  errors: ['COLLECTION_NOT_FOUND'],
});

/** What the search service asks. */
@Controller()
export class SearchDocumentsInternalController {
  @Operation(documents)
  documents(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof documents>) {
    return getSearchDocuments(ctx, body);
  }
}
