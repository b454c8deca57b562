import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { SchemaChanges } from '../schema-change.js';
import {
  activateBlockTypeVersion,
  createBlockType,
  getBlockType,
  listBlockTypes,
  parseVersion,
  updateBlockType,
} from './block-types.operations.js';
import {
  activateVersionBody,
  blockTypeParams,
  blockTypeSchema,
  createBlockTypeBody,
  updateBlockTypeBody,
  versionParams,
} from './block-types.schemas.js';

const read = { tag: 'Schema', access: 'schema:read', scope: 'schema:read' } as const;
const write = {
  tag: 'Schema',
  access: 'schema:manage',
  scope: 'schema:write',
  isBlockedInReadOnlyMode: true,
} as const;
const oneItem = z.object({ item: blockTypeSchema });

export const list = declareOperation({
  ...read,
  id: 'listBlockTypes',
  method: 'GET',
  path: 'schema/block-types',
  summary: 'List block types with all their versions',
  response: z.object({ items: z.array(blockTypeSchema) }),
});

export const create = declareOperation({
  ...write,
  id: 'createBlockType',
  method: 'POST',
  path: 'schema/block-types',
  summary: 'Create a block type',
  body: createBlockTypeBody,
  status: 201,
  response: oneItem,
  errors: ['BLOCK_TYPE_EXISTS'],
});

export const get = declareOperation({
  ...read,
  id: 'getBlockType',
  method: 'GET',
  path: 'schema/block-types/:slug',
  summary: 'Get a block type',
  params: blockTypeParams,
  response: oneItem,
  errors: ['BLOCK_TYPE_NOT_FOUND'],
});

export const update = declareOperation({
  ...write,
  id: 'updateBlockType',
  method: 'PUT',
  path: 'schema/block-types/:slug',
  summary: 'Update a block type, in place or as a new version',
  params: blockTypeParams,
  body: updateBlockTypeBody,
  response: oneItem,
  errors: ['BLOCK_TYPE_NOT_FOUND', 'BLOCK_TYPE_VERSION_CONFLICT', 'BLOCK_TYPE_BREAKING_CHANGE'],
});

export const activate = declareOperation({
  ...write,
  id: 'activateBlockTypeVersion',
  method: 'POST',
  path: 'schema/block-types/:slug/versions/:version/activate',
  summary: 'Activate a version of a block type for new blocks',
  params: versionParams,
  body: activateVersionBody,
  response: oneItem,
  errors: ['BLOCK_TYPE_NOT_FOUND', 'NOT_FOUND', 'INVALID_INPUT', 'BLOCK_TYPE_VERSION_CONFLICT'],
});

/** Block types and their versions (spec document 3, `blocks` rules; contract 15). */
@Controller()
export class BlockTypesController {
  constructor(private readonly changes: SchemaChanges) {}

  @Operation(list)
  list(@Ctx() ctx: Context) {
    return listBlockTypes(ctx);
  }

  @Operation(create)
  create(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof create>) {
    return createBlockType(ctx, this.changes, body);
  }

  @Operation(get)
  get(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof get>) {
    return getBlockType(ctx, params.slug);
  }

  @Operation(update)
  update(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof update>) {
    return updateBlockType(ctx, this.changes, { slug: params.slug, update: body });
  }

  @Operation(activate)
  activate(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof activate>) {
    const { slug, version } = params;
    return activateBlockTypeVersion(ctx, this.changes, { slug, version: parseVersion(version), ...body });
  }
}
