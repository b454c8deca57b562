import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { MediaObjects } from '../objects/index.js';
import { UsageDeps } from '../usage/index.js';
import { itemSchema, itemWithUsageSchema } from './item.mapper.js';
import { MediaChangeNotifier } from './media-change-notifier.js';
import { getMediaQuery, itemParams, listMediaQuery, updateMediaBody } from './items.schemas.js';
import { deleteMedia, getMedia, listMedia, updateMedia } from './items.operations.js';

const read = { tag: 'Media', access: 'media:read', scope: 'media:read' } as const;
const oneItem = z.object({ item: itemSchema });

export const list = declareOperation({
  ...read,
  id: 'listMedia',
  method: 'GET',
  path: 'media',
  summary: 'List media, newest first',
  query: listMediaQuery,
  repeatable: ['mimeType'],
  response: z.object({
    items: z.array(itemWithUsageSchema),
    nextCursor: z.string().optional(),
    totalCount: z.number().int().optional(),
  }),
  errors: ['INVALID_CURSOR'],
});

export const get = declareOperation({
  ...read,
  id: 'getMedia',
  method: 'GET',
  path: 'media/:id',
  summary: 'Get a media item',
  params: itemParams,
  query: getMediaQuery,
  response: z.object({ item: itemWithUsageSchema }),
  errors: ['NOT_FOUND'],
});

export const update = declareOperation({
  tag: 'Media',
  access: 'media:edit',
  scope: 'media:write',
  id: 'updateMedia',
  method: 'PUT',
  path: 'media/:id',
  summary: 'Update a media item',
  params: itemParams,
  body: updateMediaBody,
  response: oneItem,
  errors: ['NOT_FOUND'],
});

export const remove = declareOperation({
  tag: 'Media',
  access: 'media:delete',
  scope: 'media:write',
  id: 'deleteMedia',
  method: 'DELETE',
  path: 'media/:id',
  summary: 'Delete a media item and its file',
  params: itemParams,
  response: z.object({ deleted: z.literal(true) }),
  errors: ['NOT_FOUND'],
});

/** Items of the media library (document 1, Media; contract 11). */
@Controller()
export class ItemsController {
  constructor(
    readonly objects: MediaObjects,
    private readonly usage: UsageDeps,
    readonly notifier: MediaChangeNotifier,
  ) {}

  @Operation(list)
  list(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof list>) {
    return listMedia(ctx, this.usage, query);
  }

  @Operation(get)
  get(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof get>) {
    return getMedia(ctx, this.usage, { id: params.id, includesUsage: query.includeUsage !== undefined });
  }

  @Operation(update)
  update(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof update>) {
    return updateMedia(ctx, { id: params.id, update: body });
  }

  @Operation(remove)
  remove(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof remove>) {
    return deleteMedia(ctx, this, params.id);
  }
}
