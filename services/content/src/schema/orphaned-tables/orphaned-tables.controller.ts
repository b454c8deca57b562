import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { listOrphanedTables } from './operations/list-orphaned-tables.js';
import { registerOrphanedTable } from './operations/register-orphaned-table.js';
import { SchemaChanges } from '../schema-change.js';
import { collectionParams, collectionSchema, registerOrphanBody } from '../schema.schemas.js';

const list = declareOperation({
  tag: 'Schema',
  access: 'schema:manage',
  scope: 'schema:read',
  id: 'listOrphanedTables',
  method: 'GET',
  path: 'schema/orphans',
  summary: 'List content tables without a collection',
  response: z.object({
    items: z.array(z.object({ slug: z.string(), tableName: z.string(), rowCount: z.number().int() })),
  }),
});

const register = declareOperation({
  tag: 'Schema',
  access: 'schema:manage',
  scope: 'schema:write',
  id: 'registerOrphanedTable',
  method: 'POST',
  isBlockedInReadOnlyMode: true,
  path: 'schema/orphans/:slug',
  summary: 'Make a collection of an orphaned table',
  params: collectionParams,
  body: registerOrphanBody,
  bodyIsOptional: true,
  status: 201,
  response: z.object({ item: collectionSchema }),
  errors: ['TABLE_NOT_FOUND', 'COLLECTION_EXISTS', 'RESERVED_SLUG', 'INVALID_SLUG', 'REGISTER_FAILED'],
});

/** Content tables that lost their collection, or came from elsewhere (contract 14, Orphaned tables). */
@Controller()
export class OrphansController {
  constructor(@Inject(SchemaChanges) private readonly changes: SchemaChanges) {}

  @Operation(list)
  async list(@Ctx() ctx: Context) {
    return { items: await listOrphanedTables(ctx) };
  }

  @Operation(register)
  async register(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof register>) {
    return { item: await registerOrphanedTable(ctx, this.changes, params.slug, body) };
  }
}
