import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, type InputOf, Operation } from '@quire/operation';
import { collectionParams, EntryDeps } from '../index.js';
import { countPanelEntries } from './operations/count-panel-entries.js';
import { listPanelEntries } from './operations/list-panel-entries.js';
import {
  panelCounts,
  panelCountsQuery,
  panelEntriesPage,
  panelEntriesQuery,
} from './panel-entries.schemas.js';

const ofPanel = {
  tag: 'Panel',
  method: 'GET',
  access: 'content:read_drafts',
  scope: 'admin',
  isDocumented: false,
  params: collectionParams,
} as const;

const list = declareOperation({
  ...ofPanel,
  id: 'listPanelEntries',
  path: 'panel/entries/:collection',
  summary: 'List entries as the admin panel shows them, with the values of their drafts',
  query: panelEntriesQuery,
  response: panelEntriesPage,
  errors: ['COLLECTION_NOT_FOUND', 'INVALID_CURSOR'],
});

const count = declareOperation({
  ...ofPanel,
  id: 'countPanelEntries',
  path: 'panel/entries/:collection/counts',
  summary: 'Count the entries of each view of the admin panel',
  query: panelCountsQuery,
  response: panelCounts,
  errors: ['COLLECTION_NOT_FOUND'],
});

/** Lists of entries in the admin panel; not in the OpenAPI document. */
@Controller()
export class PanelEntriesController {
  constructor(private readonly entries: EntryDeps) {}

  @Operation(list)
  list(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof list>) {
    return listPanelEntries(ctx, this.entries, { ...params, ...query });
  }

  @Operation(count)
  count(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof count>) {
    return countPanelEntries(ctx, this.entries, { ...params, ...query });
  }
}
