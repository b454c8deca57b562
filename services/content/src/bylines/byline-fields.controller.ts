import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import {
  createBylineField,
  deleteBylineField,
  getBylineField,
  getBylineFieldUsage,
  listBylineFields,
  reorderBylineFields,
  updateBylineField,
} from './byline-fields.operations.js';
import {
  bylineFieldParams,
  bylineFieldSchema,
  bylineFieldUsageSchema,
  createBylineFieldBody,
  reorderBylineFieldsBody,
  updateBylineFieldBody,
} from './byline-fields.schemas.js';

const admin = { tag: 'Bylines', scope: 'admin', isDocumented: false } as const;
const read = { ...admin, access: 'schema:read' } as const;
const write = { ...admin, access: 'schema:manage', isBlockedInReadOnlyMode: true } as const;
const items = z.object({ items: z.array(bylineFieldSchema) });

const list = declareOperation({
  ...read,
  id: 'listBylineFields',
  method: 'GET',
  path: 'admin/byline-fields',
  summary: 'List the fields of bylines',
  response: items,
});

const create = declareOperation({
  ...write,
  id: 'createBylineField',
  method: 'POST',
  path: 'admin/byline-fields',
  summary: 'Create a field of bylines',
  body: createBylineFieldBody,
  status: 201,
  response: bylineFieldSchema,
  errors: ['FIELD_EXISTS', 'INVALID_TYPE'],
});

const reorder = declareOperation({
  ...write,
  id: 'reorderBylineFields',
  method: 'POST',
  path: 'admin/byline-fields/reorder',
  summary: 'Reorder the fields of bylines',
  body: reorderBylineFieldsBody,
  response: items,
  errors: ['REORDER_MISMATCH'],
});

const get = declareOperation({
  ...read,
  id: 'getBylineField',
  method: 'GET',
  path: 'admin/byline-fields/:slug',
  summary: 'Get a field of bylines',
  params: bylineFieldParams,
  response: bylineFieldSchema,
  errors: ['NOT_FOUND'],
});

const update = declareOperation({
  ...write,
  id: 'updateBylineField',
  method: 'PATCH',
  path: 'admin/byline-fields/:slug',
  summary: 'Update a field of bylines',
  params: bylineFieldParams,
  body: updateBylineFieldBody,
  response: bylineFieldSchema,
  errors: ['NOT_FOUND', 'TRANSLATABLE_LOCKED'],
});

const remove = declareOperation({
  ...write,
  id: 'deleteBylineField',
  method: 'DELETE',
  path: 'admin/byline-fields/:slug',
  summary: 'Delete a field of bylines with its values',
  params: bylineFieldParams,
  response: z.object({ deleted: z.literal(true) }),
  errors: ['NOT_FOUND'],
});

const usage = declareOperation({
  ...read,
  id: 'getBylineFieldUsage',
  method: 'GET',
  path: 'admin/byline-fields/:slug/usage',
  summary: 'Count the values of a field of bylines',
  params: bylineFieldParams,
  response: bylineFieldUsageSchema,
  errors: ['NOT_FOUND'],
});

/** Custom fields of bylines, for the admin panel (contract 35). */
@Controller()
export class BylineFieldsController {
  @Operation(list)
  list(@Ctx() ctx: Context) {
    return listBylineFields(ctx);
  }

  @Operation(create)
  create(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof create>) {
    return createBylineField(ctx, body);
  }

  @Operation(reorder)
  reorder(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof reorder>) {
    return reorderBylineFields(ctx, body.slugs);
  }

  @Operation(get)
  get(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof get>) {
    return getBylineField(ctx, params.slug);
  }

  @Operation(update)
  update(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof update>) {
    return updateBylineField(ctx, { slug: params.slug, update: body });
  }

  @Operation(remove)
  remove(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof remove>) {
    return deleteBylineField(ctx, params.slug);
  }

  @Operation(usage)
  usage(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof usage>) {
    return getBylineFieldUsage(ctx, params.slug);
  }
}
