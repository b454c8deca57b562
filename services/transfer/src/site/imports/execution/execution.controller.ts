import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { digestSchema } from '@quire/site-package';
import { z } from 'zod';
import { TransferDeps } from '../../../transfer-deps.js';
import { operationSchema, toOperationResponse } from '../../operations/operation-response.js';
import { importErrors, importParams, importRights } from '../import-declarations.js';
import { getTransferImportReceipt } from '../receipt/get-transfer-import-receipt.js';
import { receiptSchema } from '../receipt/receipt.js';
import { abandonTransferImport } from './abandon-transfer-import.js';
import { advanceTransferImport } from './advance-transfer-import.js';
import { cancelTransferImport } from './cancel-transfer-import.js';
import { executeTransferImport } from './execute-transfer-import.js';

const importResponse = z.object({ operation: operationSchema });
const errors = [...importErrors, 'TRANSFER_INVALID_STATE'] as const;

export const execute = declareOperation({
  ...importRights.execute,
  id: 'executeTransferImport',
  method: 'POST',
  path: 'admin/transfer/imports/:id/execute',
  summary: 'Start a planned import: the site is read-only until it has ended',
  params: importParams,
  body: z.strictObject({ packageDigest: digestSchema, planDigest: digestSchema }),
  response: importResponse,
  errors: [
    ...errors,
    'TRANSFER_PACKAGE_DIGEST_MISMATCH',
    'TRANSFER_PLAN_DIGEST_MISMATCH',
    'TRANSFER_PLAN_BLOCKED',
    'TRANSFER_TARGET_NOT_EMPTY',
    'SERVICE_UNAVAILABLE',
  ],
});

export const advance = declareOperation({
  ...importRights.execute,
  id: 'advanceTransferImport',
  method: 'POST',
  path: 'admin/transfer/imports/:id/advance',
  summary: 'Take one step of an import that executes',
  timeoutSeconds: 3600,
  params: importParams,
  response: importResponse.extend({
    nextRequestInMs: z
      .number()
      .int()
      .nonnegative()
      .nullable()
      .describe('Milliseconds until the next request; null when no step is left'),
  }),
  errors,
});

const cancel = declareOperation({
  ...importRights.execute,
  id: 'cancelTransferImport',
  method: 'POST',
  path: 'admin/transfer/imports/:id/cancel',
  summary: 'Cancel an import; one that executes ends after its present step',
  params: importParams,
  response: importResponse,
  errors,
});

const abandon = declareOperation({
  ...importRights.execute,
  id: 'abandonTransferImport',
  method: 'POST',
  path: 'admin/transfer/imports/:id/abandon',
  summary: 'Give up a failed or cancelled import, and delete what it has written',
  timeoutSeconds: 3600,
  params: importParams,
  response: importResponse,
  errors: [...errors, 'SERVICE_UNAVAILABLE'],
});

const receipt = declareOperation({
  ...importRights.read,
  id: 'getTransferImportReceipt',
  method: 'GET',
  path: 'admin/transfer/imports/:id/receipt',
  summary: 'Get the receipt of a complete import',
  params: importParams,
  response: z.object({ receipt: receiptSchema.meta({ id: 'TransferReceipt' }) }),
  errors,
});

/** The execution of imports (spec document 1, Site transfer; contract 25). */
@Controller()
export class ExecutionController {
  constructor(private readonly deps: TransferDeps) {}

  @Operation(execute)
  async execute(@Ctx() ctx: Context, @Input() { params: { id }, body }: InputOf<typeof execute>) {
    return { operation: toOperationResponse(await executeTransferImport(ctx, this.deps, { id, ...body })) };
  }

  @Operation(advance)
  advance(@Ctx() ctx: Context, @Input() { params: { id } }: InputOf<typeof advance>) {
    return advanceTransferImport(ctx, this.deps, id);
  }

  @Operation(cancel)
  async cancel(@Ctx() ctx: Context, @Input() { params: { id } }: InputOf<typeof cancel>) {
    return { operation: toOperationResponse(await cancelTransferImport(ctx, this.deps, id)) };
  }

  @Operation(abandon)
  async abandon(@Ctx() ctx: Context, @Input() { params: { id } }: InputOf<typeof abandon>) {
    return { operation: toOperationResponse(await abandonTransferImport(ctx, this.deps, id)) };
  }

  @Operation(receipt)
  receipt(@Ctx() ctx: Context, @Input() { params: { id } }: InputOf<typeof receipt>) {
    return getTransferImportReceipt(ctx, id);
  }
}
