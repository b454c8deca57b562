import { Controller, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { Idempotent, type KeyedRequest } from '@quire/idempotency';
import { declareOperation, Input, Operation, rowId, type InputOf } from '@quire/operation';
import { recordKinds } from '@quire/site-package';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { TransferDeps } from '../../transfer-deps.js';
import { operationSchema, toOperationResponse } from '../operations/operation-response.js';
import { advanceTransferExport, getTransferExport, listTransferExports } from './exports.operations.js';
import { createTransferExport } from './create-transfer-export.js';

const shared = { tag: 'Site transfer', access: 'transfer:export', scope: 'transfer:export' } as const;
const params = z.object({ id: rowId });
const count = z.number().int().nonnegative();
const fileTotals = z.object({ count, totalBytes: count });

const exportSchema = z.object({
  operation: operationSchema,
  totals: z
    .object({
      records: z.object({ total: count, byKind: z.partialRecord(z.enum(recordKinds), count) }),
      media: fileTotals,
      files: fileTotals,
    })
    .optional()
    .describe('What the package holds; present once the export is complete'),
});

const created = z.object({ operation: operationSchema, created: z.boolean() });

const list = declareOperation({
  ...shared,
  id: 'listTransferExports',
  method: 'GET',
  path: 'admin/transfer/exports',
  summary: 'List the exports of the site, newest first',
  query: z.object({
    cursor: z.string().optional(),
    limit: z.coerce.number().int().min(1).max(100).default(50),
  }),
  response: z.object({ items: z.array(operationSchema), nextCursor: z.string().optional() }),
  errors: ['INSUFFICIENT_PERMISSIONS', 'INVALID_CURSOR'],
});

export const create = declareOperation({
  ...shared,
  id: 'createTransferExport',
  method: 'POST',
  path: 'admin/transfer/exports',
  summary: 'Start an export of the whole site',
  body: z.strictObject({ comments: z.boolean().default(true) }),
  bodyIsOptional: true,
  idempotency: true,
  status: 201,
  response: created,
  alternativeResponse: {
    status: 200,
    description: 'The export that an earlier request with the same Idempotency-Key started',
    response: created,
  },
  errors: ['INSUFFICIENT_PERMISSIONS', 'TRANSFER_IDEMPOTENCY_CONFLICT'],
});

export const get = declareOperation({
  ...shared,
  id: 'getTransferExport',
  method: 'GET',
  path: 'admin/transfer/exports/:id',
  summary: 'Get an export',
  params,
  response: exportSchema,
  errors: ['INSUFFICIENT_PERMISSIONS', 'TRANSFER_OPERATION_NOT_FOUND'],
});

export const advance = declareOperation({
  ...shared,
  id: 'advanceTransferExport',
  method: 'POST',
  path: 'admin/transfer/exports/:id/advance',
  summary: 'Take one step of an export',
  timeoutSeconds: 3600,
  params,
  response: exportSchema.extend({
    nextRequestInMs: count
      .nullable()
      .describe('Milliseconds until the next request; null when no step is left'),
  }),
  errors: ['INSUFFICIENT_PERMISSIONS', 'TRANSFER_OPERATION_NOT_FOUND'],
});

/** Exports of the whole site (spec document 1, Site transfer; contract 25). */
@Controller()
export class ExportsController {
  constructor(private readonly deps: TransferDeps) {}

  @Operation(list)
  list(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof list>) {
    return listTransferExports(ctx, query);
  }

  @Operation(create)
  async create(
    @Ctx() ctx: Context,
    @Input() { body: options }: InputOf<typeof create>,
    @Idempotent() keyed: KeyedRequest | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const started = await createTransferExport(ctx, this.deps, { options, idempotencyKey: keyed?.key });
    if (!started.created) void reply.status(200).header('idempotency-replayed', 'true');
    return { operation: toOperationResponse(started.operation), created: started.created };
  }

  @Operation(get)
  get(@Ctx() ctx: Context, @Input() { params: { id } }: InputOf<typeof get>) {
    return getTransferExport(ctx, id);
  }

  @Operation(advance)
  advance(@Ctx() ctx: Context, @Input() { params: { id } }: InputOf<typeof advance>) {
    return advanceTransferExport(ctx, this.deps, id);
  }
}
