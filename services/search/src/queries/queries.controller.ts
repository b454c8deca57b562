import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { SearchServices } from '../search-services.js';
import { search } from './operations/search.js';
import { suggest } from './operations/suggest.js';
import { searchAnswer, searchQuery, suggestAnswer, suggestQuery } from './queries.schemas.js';

const read = { method: 'GET', tag: 'Search', access: 'search:read', scope: 'content:read' } as const;

const find = declareOperation({
  ...read,
  id: 'search',
  path: 'search',
  summary:
    'Search entries across collections, best hits first: published ones unless another status is asked for',
  query: searchQuery,
  response: searchAnswer,
  errors: ['INVALID_CURSOR', 'SERVICE_UNAVAILABLE'],
});

const complete = declareOperation({
  ...read,
  id: 'searchSuggest',
  path: 'search/suggest',
  summary: 'Suggest published entries whose title begins with a text',
  query: suggestQuery,
  response: suggestAnswer,
  errors: ['SERVICE_UNAVAILABLE'],
});

/** What is found (document 1, Search; contract 22). */
@Controller()
export class QueriesController {
  constructor(@Inject(SearchServices) private readonly services: SearchServices) {}

  @Operation(find)
  search(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof find>) {
    return search(ctx, this.services, query);
  }

  @Operation(complete)
  suggest(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof complete>) {
    return suggest(ctx, this.services, query);
  }
}
