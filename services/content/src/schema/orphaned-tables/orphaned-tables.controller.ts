import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, storableText, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { collectionParams, collectionSchema } from '../collections/collections.schemas.js';
import { SchemaChanges } from '../schema-change.js';
import { listOrphanedTables, registerOrphanedTable } from './orphaned-tables.operations.js';

const text = (maxLength: number) => storableText(z.string().max(maxLength));

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
  summary: 'Register an orphaned table as a collection',
  params: collectionParams,
  body: z.object({
    label: text(200)
      .refine((value) => value.trim() !== '', 'must not be blank')
      .optional(),
    labelSingular: text(200).optional(),
    description: text(2_000).optional(),
  }),
  bodyIsOptional: true,
  status: 201,
  response: z.object({ item: collectionSchema }),
  errors: ['TABLE_NOT_FOUND', 'COLLECTION_EXISTS', 'RESERVED_SLUG', 'INVALID_SLUG', 'REGISTER_FAILED'],
});

/** Content tables without a collection, of deleted collections or of foreign origin (contract 14, Orphaned tables). */
@Controller()
export class OrphanedTablesController {
  constructor(private readonly changes: SchemaChanges) {}

  @Operation(list)
  list(@Ctx() ctx: Context) {
    return listOrphanedTables(ctx);
  }

  @Operation(register)
  register(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof register>) {
    return registerOrphanedTable(ctx, this.changes, { ...params, ...body });
  }
}
