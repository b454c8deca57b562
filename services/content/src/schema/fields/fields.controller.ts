import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { collectionParams } from '../collections/collections.schemas.js';
import { SchemaChanges } from '../schema-change.js';
import { deleteField, getField, listFields, reorderFields } from './fields.operations.js';
import {
  createFieldBody,
  fieldParams,
  fieldSchema,
  reorderFieldsBody,
  updateFieldBody,
} from './fields.schemas.js';
import { createField } from './operations/create-field.js';
import { updateField } from './operations/update-field.js';

const read = { tag: 'Schema', access: 'schema:read', scope: 'schema:read' } as const;
const write = {
  tag: 'Schema',
  access: 'schema:manage',
  scope: 'schema:write',
  isBlockedInReadOnlyMode: true,
} as const;
const oneItem = z.object({ item: fieldSchema });

const list = declareOperation({
  ...read,
  id: 'listFields',
  method: 'GET',
  path: 'schema/collections/:slug/fields',
  summary: "List a collection's fields",
  params: collectionParams,
  response: z.object({ items: z.array(fieldSchema) }),
  errors: ['NOT_FOUND'],
});

export const create = declareOperation({
  ...write,
  id: 'createField',
  method: 'POST',
  path: 'schema/collections/:slug/fields',
  summary: 'Create a field with its column',
  params: collectionParams,
  body: createFieldBody,
  status: 201,
  response: oneItem,
  errors: ['COLLECTION_NOT_FOUND', 'FIELD_EXISTS', 'RESERVED_SLUG', 'INVALID_SLUG', 'FIELD_NOT_INDEXABLE'],
});

const reorder = declareOperation({
  ...write,
  id: 'reorderFields',
  method: 'POST',
  path: 'schema/collections/:slug/fields/reorder',
  summary: 'Reorder the fields of a collection',
  params: collectionParams,
  body: reorderFieldsBody,
  response: z.object({ success: z.literal(true) }),
  errors: ['COLLECTION_NOT_FOUND', 'FIELD_NOT_FOUND', 'DUPLICATE_SLUG'],
});

const get = declareOperation({
  ...read,
  id: 'getField',
  method: 'GET',
  path: 'schema/collections/:slug/fields/:fieldSlug',
  summary: 'Get a field',
  params: fieldParams,
  response: oneItem,
  errors: ['NOT_FOUND'],
});

export const update = declareOperation({
  ...write,
  id: 'updateField',
  method: 'PUT',
  path: 'schema/collections/:slug/fields/:fieldSlug',
  summary: 'Update a field',
  params: fieldParams,
  body: updateFieldBody,
  response: oneItem,
  errors: [
    'COLLECTION_NOT_FOUND',
    'FIELD_NOT_FOUND',
    'FIELD_TYPE_COLUMN_CHANGE',
    'FIELD_TYPE_CHANGE_REQUIRES_MIGRATION',
    'FIELD_UPDATE_REQUIRES_MIGRATION',
    'FIELD_NOT_INDEXABLE',
    'INVALID_TITLE_FIELD',
    'INVALID_DATE_FIELD',
  ],
});

export const remove = declareOperation({
  ...write,
  id: 'deleteField',
  method: 'DELETE',
  path: 'schema/collections/:slug/fields/:fieldSlug',
  summary: 'Delete a field with its stored values',
  params: fieldParams,
  response: z.object({ success: z.literal(true), deleted: z.literal(true) }),
  errors: ['COLLECTION_NOT_FOUND', 'FIELD_NOT_FOUND'],
});

/** Fields of a collection (spec document 3, Field definition properties; contract 14). */
@Controller()
export class FieldsController {
  constructor(private readonly changes: SchemaChanges) {}

  @Operation(list)
  async list(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof list>) {
    return { items: await listFields(ctx, params.slug) };
  }

  @Operation(create)
  async create(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof create>) {
    return { item: await createField(ctx, this.changes, { collection: params.slug, field: body }) };
  }

  @Operation(reorder)
  reorder(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof reorder>) {
    return reorderFields(ctx, this.changes, { collection: params.slug, slugs: body.fieldSlugs });
  }

  @Operation(get)
  async get(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof get>) {
    return { item: await getField(ctx, { collection: params.slug, field: params.fieldSlug }) };
  }

  @Operation(update)
  async update(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof update>) {
    const address = { collection: params.slug, field: params.fieldSlug };
    return { item: await updateField(ctx, this.changes, { ...address, update: body }) };
  }

  @Operation(remove)
  remove(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof remove>) {
    return deleteField(ctx, this.changes, { collection: params.slug, field: params.fieldSlug });
  }
}
