import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { SchemaChanges } from '../schema-change.js';
import {
  createRelation,
  deleteRelation,
  getRelation,
  listRelations,
  updateRelation,
} from './relations.operations.js';
import {
  createRelationBody,
  relationParams,
  relationSchema,
  updateRelationBody,
} from './relations.schemas.js';

const shared = { tag: 'Schema', scope: 'admin', isDocumented: false } as const;
const read = { ...shared, access: 'schema:read' } as const;
const write = { ...shared, access: 'schema:manage', isBlockedInReadOnlyMode: true } as const;
const one = z.object({ relation: relationSchema });

const list = declareOperation({
  ...read,
  id: 'listRelations',
  method: 'GET',
  path: 'relations',
  summary: 'List relations with their use',
  query: z.object({ collection: z.string().max(200).optional() }),
  response: z.object({ relations: z.array(relationSchema) }),
});

const create = declareOperation({
  ...write,
  id: 'createRelation',
  method: 'POST',
  path: 'relations',
  summary: 'Create a relation between collections',
  body: createRelationBody,
  status: 201,
  response: one,
  errors: ['COLLECTION_NOT_FOUND', 'CONFLICT'],
});

const get = declareOperation({
  ...read,
  id: 'getRelation',
  method: 'GET',
  path: 'relations/:id',
  summary: 'Get a relation by slug or id',
  params: relationParams,
  response: one,
  errors: ['NOT_FOUND'],
});

const update = declareOperation({
  ...write,
  id: 'updateRelation',
  method: 'PATCH',
  path: 'relations/:id',
  summary: 'Update labels and limits of a relation',
  params: relationParams,
  body: updateRelationBody,
  response: one,
  errors: ['NOT_FOUND'],
});

const remove = declareOperation({
  ...write,
  id: 'deleteRelation',
  method: 'DELETE',
  path: 'relations/:id',
  summary: 'Delete a relation with its links',
  params: relationParams,
  query: z.object({ force: z.enum(['true', 'false']).optional() }),
  response: z.object({ deleted: z.literal(true) }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});

/** Relations between collections (contract 10); not in the OpenAPI document. */
@Controller()
export class RelationsController {
  constructor(private readonly changes: SchemaChanges) {}

  @Operation(list)
  list(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof list>) {
    return listRelations(ctx, query);
  }

  @Operation(create)
  create(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof create>) {
    return createRelation(ctx, this.changes, body);
  }

  @Operation(get)
  get(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof get>) {
    return getRelation(ctx, params.id);
  }

  @Operation(update)
  update(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof update>) {
    return updateRelation(ctx, this.changes, { id: params.id, update: body });
  }

  @Operation(remove)
  remove(@Ctx() ctx: Context, @Input() { params, query }: InputOf<typeof remove>) {
    return deleteRelation(ctx, this.changes, { id: params.id, force: query.force === 'true' });
  }
}
