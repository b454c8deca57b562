import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { SearchDeps } from '../search-deps.js';
import { search, searchSuggest } from './search.operations.js';
import { searchResponse, searchQuery, suggestResponse, suggestQuery } from './search.schemas.js';

const read = { method: 'GET', tag: 'Search', access: 'search:read', scope: 'content:read' } as const;

export const find = declareOperation({
  ...read,
  id: 'search',
  path: 'search',
  summary:
    'Search entries across collections, best hits first; published entries unless another status is requested',
  query: searchQuery,
  response: searchResponse,
  errors: ['INVALID_CURSOR', 'SERVICE_UNAVAILABLE'],
});

const complete = declareOperation({
  ...read,
  id: 'searchSuggest',
  path: 'search/suggest',
  summary: 'Suggest published entries whose title begins with a text',
  query: suggestQuery,
  response: suggestResponse,
  errors: ['SERVICE_UNAVAILABLE'],
});

/** Searches and suggestions (document 1, Search; contract 22). */
@Controller()
export class SearchController {
  constructor(@Inject(SearchDeps) private readonly deps: SearchDeps) {}

  @Operation(find)
  search(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof find>) {
    return search(ctx, this.deps, query);
  }

  @Operation(complete)
  suggest(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof complete>) {
    return searchSuggest(ctx, this.deps, query);
  }
}
