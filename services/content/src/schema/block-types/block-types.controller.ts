import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { SchemaChanges } from '../schema-change.js';
import { selectBlockTypes, selectBlockType } from './block-type.js';
import {
  activateVersionBody,
  blockTypeParams,
  blockTypeSchema,
  createBlockTypeBody,
  updateBlockTypeBody,
  versionParams,
} from './block-types.schemas.js';
import { activateBlockTypeVersion } from './operations/activate-block-type-version.js';
import { createBlockType } from './operations/create-block-type.js';
import { updateBlockType } from './operations/update-block-type.js';

const read = { tag: 'Schema', access: 'schema:read', scope: 'schema:read' } as const;
const write = {
  tag: 'Schema',
  access: 'schema:manage',
  scope: 'schema:write',
  isBlockedInReadOnlyMode: true,
} as const;
const oneItem = z.object({ item: blockTypeSchema });

const list = declareOperation({
  ...read,
  id: 'listBlockTypes',
  method: 'GET',
  path: 'schema/block-types',
  summary: 'List block types with all their versions',
  response: z.object({ items: z.array(blockTypeSchema) }),
});

const create = declareOperation({
  ...write,
  id: 'createBlockType',
  method: 'POST',
  path: 'schema/block-types',
  summary: 'Define a block type',
  body: createBlockTypeBody,
  status: 201,
  response: oneItem,
  errors: ['BLOCK_TYPE_EXISTS'],
});

const get = declareOperation({
  ...read,
  id: 'getBlockType',
  method: 'GET',
  path: 'schema/block-types/:slug',
  summary: 'Get a block type',
  params: blockTypeParams,
  response: oneItem,
  errors: ['BLOCK_TYPE_NOT_FOUND'],
});

const update = declareOperation({
  ...write,
  id: 'updateBlockType',
  method: 'PUT',
  path: 'schema/block-types/:slug',
  summary: 'Change a block type, in place or as a new version',
  params: blockTypeParams,
  body: updateBlockTypeBody,
  response: oneItem,
  errors: ['BLOCK_TYPE_NOT_FOUND', 'BLOCK_TYPE_VERSION_CONFLICT', 'BLOCK_TYPE_BREAKING_CHANGE'],
});

const activate = declareOperation({
  ...write,
  id: 'activateBlockTypeVersion',
  method: 'POST',
  path: 'schema/block-types/:slug/versions/:version/activate',
  summary: 'Make a version the one that new blocks get',
  params: versionParams,
  body: activateVersionBody,
  response: oneItem,
  errors: ['BLOCK_TYPE_NOT_FOUND', 'NOT_FOUND', 'INVALID_INPUT', 'BLOCK_TYPE_VERSION_CONFLICT'],
});

/** Block types and their versions (spec document 3, `blocks` rules; contract 15). */
@Controller()
export class BlockTypesController {
  constructor(@Inject(SchemaChanges) private readonly changes: SchemaChanges) {}

  @Operation(list)
  async list(@Ctx() ctx: Context) {
    return { items: await selectBlockTypes(ctx.db) };
  }

  @Operation(create)
  async create(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof create>) {
    return { item: await createBlockType(ctx, this.changes, body) };
  }

  @Operation(get)
  async get(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof get>) {
    return { item: await selectBlockType(ctx.db, params.slug) };
  }

  @Operation(update)
  async update(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof update>) {
    return { item: await updateBlockType(ctx, this.changes, params.slug, body) };
  }

  @Operation(activate)
  async activate(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof activate>) {
    return { item: await activateBlockTypeVersion(ctx, this.changes, params, body.expectedFingerprint) };
  }
}
