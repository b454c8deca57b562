import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { selectFileChangeCount } from './file-changes.repository.js';
import { countItems } from './items.repository.js';
import { fileSchema, listFiles } from './items.operations.js';

const maxIds = 200;

const files = declareOperation({
  id: 'internalMediaFiles',
  method: 'POST',
  path: 'internal/media/files',
  summary: 'Where the files of some items are, for the content service to show them',
  tag: 'Internal',
  access: 'internal',
  scope: null,
  isDocumented: false,
  body: z.object({ ids: z.array(z.string()).max(maxIds) }),
  response: z.object({ items: z.array(fileSchema) }),
});

const changes = declareOperation({
  id: 'internalMediaFileChanges',
  method: 'GET',
  path: 'internal/media/file-changes',
  summary:
    'How often files of the site have been replaced or deleted, for the content service to tell whether it shows them still',
  tag: 'Internal',
  access: 'internal',
  scope: null,
  isDocumented: false,
  response: z.object({ count: z.number().int() }),
});

const countAll = declareOperation({
  id: 'internalMediaItemCount',
  method: 'GET',
  path: 'internal/media/item-count',
  summary: 'How many ready items the site has, for its dashboard',
  tag: 'Internal',
  access: 'internal',
  scope: null,
  isDocumented: false,
  response: z.object({ count: z.number().int() }),
});

/** What other services ask of media items. */
@Controller()
export class ItemsInternalController {
  @Operation(files)
  async files(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof files>) {
    return { items: await listFiles(ctx, body.ids) };
  }

  @Operation(changes)
  async changes(@Ctx() ctx: Context) {
    return { count: await selectFileChangeCount(ctx.db) };
  }

  @Operation(countAll)
  async count(@Ctx() ctx: Context) {
    return { count: await countItems(ctx.db, {}) };
  }
}
