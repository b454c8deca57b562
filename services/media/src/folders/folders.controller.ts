import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { folderBody, folderParams, folderSchema, listFoldersQuery } from './folders.schemas.js';
import {
  createMediaFolder,
  deleteMediaFolder,
  getMediaFolder,
  listMediaFolders,
  updateMediaFolder,
} from './folders.operations.js';

const read = { tag: 'Media', access: 'media:read', scope: 'media:read' } as const;
const write = { tag: 'Media', access: 'media:edit_any', scope: 'media:write' } as const;
const oneFolder = z.object({ item: folderSchema });

const list = declareOperation({
  ...read,
  id: 'listMediaFolders',
  method: 'GET',
  path: 'media/folders',
  summary: 'List media folders in order of their names',
  query: listFoldersQuery,
  response: z.object({ items: z.array(folderSchema), nextCursor: z.string().optional() }),
  errors: ['INVALID_CURSOR'],
});

const create = declareOperation({
  ...write,
  id: 'createMediaFolder',
  method: 'POST',
  path: 'media/folders',
  summary: 'Create a media folder',
  body: folderBody,
  status: 201,
  response: oneFolder,
  errors: ['CONFLICT'],
});

const get = declareOperation({
  ...read,
  id: 'getMediaFolder',
  method: 'GET',
  path: 'media/folders/:id',
  summary: 'Get a media folder',
  params: folderParams,
  response: oneFolder,
  errors: ['NOT_FOUND'],
});

const update = declareOperation({
  ...write,
  id: 'updateMediaFolder',
  method: 'PUT',
  path: 'media/folders/:id',
  summary: 'Rename a media folder',
  params: folderParams,
  body: folderBody,
  response: oneFolder,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

const remove = declareOperation({
  ...write,
  id: 'deleteMediaFolder',
  method: 'DELETE',
  path: 'media/folders/:id',
  summary: 'Delete a media folder and move its media to the main library',
  params: folderParams,
  response: z.object({ deleted: z.literal(true) }),
  errors: ['NOT_FOUND'],
});

/** Folders of the media library (document 1, Media; contract 12). */
@Controller()
export class FoldersController {
  @Operation(list)
  list(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof list>) {
    return listMediaFolders(ctx, query);
  }

  @Operation(create)
  create(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof create>) {
    return createMediaFolder(ctx, body.name);
  }

  @Operation(get)
  get(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof get>) {
    return getMediaFolder(ctx, params.id);
  }

  @Operation(update)
  update(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof update>) {
    return updateMediaFolder(ctx, { id: params.id, name: body.name });
  }

  @Operation(remove)
  remove(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof remove>) {
    return deleteMediaFolder(ctx, params.id);
  }
}
