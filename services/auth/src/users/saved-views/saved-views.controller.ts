import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { deleteView, listSavedViews, saveView } from './saved-views.operations.js';
import { collectionParams, savedViewSchema, saveViewBody, viewParams } from './saved-views.schemas.js';

const ofPanel = { tag: 'Panel', access: 'content:read_drafts', scope: 'admin', isDocumented: false } as const;

const list = declareOperation({
  ...ofPanel,
  id: 'listSavedViews',
  method: 'GET',
  path: 'panel/views/:collection',
  summary: "List the caller's views of a collection, and shared ones",
  params: collectionParams,
  response: z.object({ items: z.array(savedViewSchema) }),
});

const save = declareOperation({
  ...ofPanel,
  id: 'saveView',
  method: 'PUT',
  path: 'panel/views/:collection/:id',
  summary: 'Save a view of the caller',
  params: viewParams,
  body: saveViewBody,
  response: z.object({ item: savedViewSchema }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});

const remove = declareOperation({
  ...ofPanel,
  id: 'deleteView',
  method: 'DELETE',
  path: 'panel/views/:collection/:id',
  summary: 'Delete a view',
  params: viewParams,
  response: z.object({ deleted: z.literal(true), id: z.string() }),
  errors: ['NOT_FOUND'],
});

/** Views of lists in the admin panel that users have saved; not in the OpenAPI document. */
@Controller()
export class SavedViewsController {
  @Operation(list)
  async list(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof list>) {
    return { items: await listSavedViews(ctx, params.collection) };
  }

  @Operation(save)
  async save(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof save>) {
    return { item: await saveView(ctx, params, body) };
  }

  @Operation(remove)
  async remove(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof remove>) {
    await deleteView(ctx, params);
    return { deleted: true, id: params.id };
  }
}
