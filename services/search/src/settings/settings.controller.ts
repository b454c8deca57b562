import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { SearchDeps } from '../search-deps.js';
import { disableSearch } from './operations/disable-search.js';
import { enableSearch } from './operations/enable-search.js';
import { getSearchStats } from './operations/get-search-stats.js';
import { rebuildSearchIndex } from './operations/rebuild-search-index.js';
import {
  enableResponse,
  enableBody,
  rebuildResponse,
  rebuildBody,
  statsResponse,
} from './settings.schemas.js';

const manage = { tag: 'Search', access: 'search:manage' } as const;

const enable = declareOperation({
  ...manage,
  id: 'enableSearch',
  method: 'POST',
  path: 'search/enable',
  scope: 'admin',
  summary: 'Enable or disable search for a collection, with tokenizer and field weights',
  body: enableBody,
  response: enableResponse,
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
  response: rebuildResponse,
  errors: ['COLLECTION_NOT_FOUND', 'SEARCH_NOT_ENABLED', 'NO_SEARCHABLE_FIELDS', 'SERVICE_UNAVAILABLE'],
});

const stats = declareOperation({
  ...manage,
  id: 'getSearchStats',
  method: 'GET',
  path: 'search/stats',
  scope: 'content:read',
  summary: 'Say how many entries of each collection can be found',
  response: statsResponse,
  errors: ['SERVICE_UNAVAILABLE'],
});

/** How collections are searched (document 1, Search; contract 22). */
@Controller()
export class SettingsController {
  constructor(@Inject(SearchDeps) private readonly deps: SearchDeps) {}

  @Operation(enable)
  enable(@Ctx() ctx: Context, @Input() { body: { enabled, ...settings } }: InputOf<typeof enable>) {
    return enabled ? enableSearch(ctx, this.deps, settings) : disableSearch(ctx, this.deps, settings);
  }

  @Operation(rebuild)
  rebuild(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof rebuild>) {
    return rebuildSearchIndex(ctx, this.deps, body.collection);
  }

  @Operation(stats)
  stats(@Ctx() ctx: Context) {
    return getSearchStats(ctx, this.deps);
  }
}
