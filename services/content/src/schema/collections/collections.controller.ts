import { Controller, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { successText } from '@quire/errors';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { SchemaChanges } from '../schema-change.js';
import {
  createCollection,
  deleteCollection,
  getCollection,
  listCollections,
  reorderCollections,
  updateCollection,
} from './collections.operations.js';
import {
  collectionParams,
  collectionSchema,
  createCollectionBody,
  reorderCollectionsBody,
  updateCollectionBody,
} from './collections.schemas.js';
import { exportSchema, schemaAsTypescript } from './operations/export-schema.js';

const read = { tag: 'Schema', access: 'schema:read', scope: 'schema:read' } as const;
const write = {
  tag: 'Schema',
  access: 'schema:manage',
  scope: 'schema:write',
  isBlockedInReadOnlyMode: true,
} as const;
const oneItem = z.object({ item: collectionSchema });

export const list = declareOperation({
  ...read,
  id: 'listCollections',
  method: 'GET',
  path: 'schema/collections',
  summary: 'List collections',
  response: z.object({ items: z.array(collectionSchema) }),
});

export const create = declareOperation({
  ...write,
  id: 'createCollection',
  method: 'POST',
  path: 'schema/collections',
  summary: 'Create a collection with its table',
  body: createCollectionBody,
  status: 201,
  response: oneItem,
  errors: ['INVALID_SLUG', 'RESERVED_SLUG', 'COLLECTION_EXISTS'],
});

const reorder = declareOperation({
  ...write,
  id: 'reorderCollections',
  method: 'POST',
  path: 'schema/collections/reorder',
  summary: 'Reorder the collections in the panel',
  body: reorderCollectionsBody,
  response: z.object({ success: z.literal(true) }),
  errors: ['COLLECTION_NOT_FOUND', 'DUPLICATE_SLUG'],
});

export const get = declareOperation({
  ...read,
  id: 'getCollection',
  method: 'GET',
  path: 'schema/collections/:slug',
  summary: 'Get a collection',
  params: collectionParams,
  query: z.object({ includeFields: z.enum(['true', 'false']).optional() }),
  response: oneItem,
  errors: ['NOT_FOUND'],
});

export const update = declareOperation({
  ...write,
  id: 'updateCollection',
  method: 'PUT',
  path: 'schema/collections/:slug',
  summary: 'Update the settings of a collection',
  params: collectionParams,
  body: updateCollectionBody,
  response: oneItem,
  errors: ['COLLECTION_NOT_FOUND', 'INVALID_TITLE_FIELD', 'INVALID_DATE_FIELD'],
});

export const remove = declareOperation({
  ...write,
  id: 'deleteCollection',
  method: 'DELETE',
  path: 'schema/collections/:slug',
  summary: 'Delete a collection; with force, its entries too',
  params: collectionParams,
  query: z.object({ force: z.enum(['true', 'false']).optional() }),
  response: z.object({ success: z.literal(true), deleted: z.literal(true) }),
  errors: ['COLLECTION_NOT_FOUND', 'COLLECTION_HAS_CONTENT'],
});

const exported = declareOperation({
  ...read,
  id: 'exportSchema',
  method: 'GET',
  path: 'schema',
  summary: 'Export the schema as JSON or TypeScript',
  isDocumented: false,
  query: z.object({ format: z.enum(['json', 'typescript']).optional() }),
  response: z.object({ collections: z.array(collectionSchema), version: z.string() }),
});

/** Collections (spec document 1, Schema; contract 14). */
@Controller()
export class CollectionsController {
  constructor(private readonly changes: SchemaChanges) {}

  @Operation(list)
  async list(@Ctx() ctx: Context) {
    return { items: await listCollections(ctx) };
  }

  @Operation(create)
  async create(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof create>) {
    return { item: await createCollection(ctx, this.changes, body) };
  }

  @Operation(reorder)
  reorder(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof reorder>) {
    return reorderCollections(ctx, this.changes, body.slugs);
  }

  @Operation(get)
  async get(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof get>) {
    return { item: await getCollection(ctx, { ...params, includeFields: query.includeFields === 'true' }) };
  }

  @Operation(update)
  async update(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof update>) {
    return { item: await updateCollection(ctx, this.changes, { slug: params.slug, update: body }) };
  }

  @Operation(remove)
  remove(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof remove>) {
    return deleteCollection(ctx, this.changes, { ...params, force: query.force === 'true' });
  }

  /** Returns a text, because the TypeScript format has no envelope. */
  @Operation(exported)
  async export(
    @Ctx() ctx: Context,
    @Input() { query }: InputOf<typeof exported>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const schema = await exportSchema(ctx);
    const isSource = query.format === 'typescript';
    void reply.header('x-schema-version', schema.version);
    void reply.header(
      'content-type',
      isSource ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
    );
    return isSource ? schemaAsTypescript(schema) : successText(schema);
  }
}
