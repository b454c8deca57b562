import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { SearchDeps } from '../search-deps.js';
import { disableSearch, enableSearch, getSearchStats, rebuildSearchIndex } from './settings.operations.js';
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
  summary: 'Get the number of indexed entries of each collection',
  response: statsResponse,
  errors: ['SERVICE_UNAVAILABLE'],
});

/** Search settings of collections (document 1, Search; contract 22). */
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
