import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, pageQuery, type InputOf } from '@quire/operation';
import { z } from 'zod';
import { operationSchema } from '../operations/operation-response.js';
import { importErrors, importParams, importRights } from './import-declarations.js';
import { getTransferImport, listTransferImports } from './imports.operations.js';

const count = z.number().int().nonnegative();

const list = declareOperation({
  ...importRights.read,
  id: 'listTransferImports',
  method: 'GET',
  path: 'admin/transfer/imports',
  summary: 'List the imports of the site, newest first',
  query: pageQuery,
  response: z.object({ items: z.array(operationSchema), nextCursor: z.string().optional() }),
  errors: ['INSUFFICIENT_PERMISSIONS', 'INVALID_CURSOR'],
});

const get = declareOperation({
  ...importRights.read,
  id: 'getTransferImport',
  method: 'GET',
  path: 'admin/transfer/imports/:id',
  summary: 'Get an import, also an expired one',
  params: importParams,
  response: z.object({
    operation: operationSchema,
    files: z
      .object({ declared: count, verified: count })
      .describe(
        'Files that the package declares, as far as its index is received, and those that are stored',
      ),
  }),
  errors: importErrors.filter((code) => code !== 'TRANSFER_EXPIRED'),
});

/** Imports of the whole site (spec document 1, Site transfer; contract 25). */
@Controller()
export class ImportsController {
  @Operation(list)
  list(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof list>) {
    return listTransferImports(ctx, query);
  }

  @Operation(get)
  get(@Ctx() ctx: Context, @Input() { params: { id } }: InputOf<typeof get>) {
    return getTransferImport(ctx, id);
  }
}
