import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { SearchServices } from '../search-services.js';
import { disableSearch } from './operations/disable-search.js';
import { enableSearch } from './operations/enable-search.js';
import { getStats } from './operations/get-stats.js';
import { rebuildIndex } from './operations/rebuild-index.js';
import { enableAnswer, enableBody, rebuildAnswer, rebuildBody, statsAnswer } from './settings.schemas.js';

const manage = { tag: 'Search', access: 'search:manage' } as const;

const enable = declareOperation({
  ...manage,
  id: 'enableSearch',
  method: 'POST',
  path: 'search/enable',
  scope: 'admin',
  summary: 'Enable or disable search for a collection, with tokenizer and field weights',
  body: enableBody,
  response: enableAnswer,
  errors: ['COLLECTION_NOT_FOUND', 'NO_SEARCHABLE_FIELDS', 'SERVICE_UNAVAILABLE'],
});

const rebuild = declareOperation({
  ...manage,
  id: 'rebuildSearchIndex',
  method: 'POST',
  path: 'search/rebuild',
  scope: 'admin',
  summary: "Rebuild a collection's search index",
  body: rebuildBody,
  response: rebuildAnswer,
  errors: ['COLLECTION_NOT_FOUND', 'SEARCH_NOT_ENABLED', 'NO_SEARCHABLE_FIELDS', 'SERVICE_UNAVAILABLE'],
});

const stats = declareOperation({
  ...manage,
  id: 'getSearchStats',
  method: 'GET',
  path: 'search/stats',
  scope: 'content:read',
  summary: 'Say how many entries of each collection can be found',
  response: statsAnswer,
  errors: ['SERVICE_UNAVAILABLE'],
});

/** How collections are searched (document 1, Search; contract 22). */
@Controller()
export class SettingsController {
  constructor(@Inject(SearchServices) private readonly services: SearchServices) {}

  @Operation(enable)
  enable(@Ctx() ctx: Context, @Input() { body: { enabled, ...settings } }: InputOf<typeof enable>) {
    return enabled ? enableSearch(ctx, this.services, settings) : disableSearch(ctx, this.services, settings);
  }

  @Operation(rebuild)
  rebuild(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof rebuild>) {
    return rebuildIndex(ctx, this.services, body.collection);
  }

  @Operation(stats)
  stats(@Ctx() ctx: Context) {
    return getStats(ctx, this.services);
  }
}
