import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import { digestSchema } from '@quire/site-package';
import { z } from 'zod';
import { TransferDeps } from '../../../transfer-deps.js';
import { operationSchema } from '../../operations/operation-response.js';
import { importErrors, importParams, importRights } from '../import-declarations.js';
import { getTransferImportPlan } from '../plan/get-transfer-import-plan.js';
import { decisionsSchema, planSchema } from '../plan/plan.js';
import { analyzeTransferImport } from './analyze-transfer-import.js';

const count = z.number().int().nonnegative();

/** The operation checks decisions itself: their faults have a code of their own. */
const { $schema: _, ...decisionsJsonSchema } = z.toJSONSchema(decisionsSchema);

export const analyze = declareOperation({
  ...importRights.prepare,
  id: 'analyzeTransferImport',
  method: 'POST',
  path: 'admin/transfer/imports/:id/analyze',
  summary: 'Take one step of the analysis of a package, or plan its import with other decisions',
  timeoutSeconds: 3600,
  params: importParams,
  body: z.strictObject({ decisions: z.unknown().optional().meta(decisionsJsonSchema) }),
  bodyIsOptional: true,
  response: z.object({
    operation: operationSchema,
    plan: planSchema.optional(),
    planDigest: digestSchema.optional(),
    nextRequestInMs: count
      .nullable()
      .describe('Milliseconds until the client repeats the request; null when there is a plan'),
  }),
  errors: [
    ...importErrors,
    'TRANSFER_INVALID_STATE',
    'TRANSFER_FILE_MISSING',
    'TRANSFER_DECISIONS_INVALID',
    'TRANSFER_STORAGE_ERROR',
    'SERVICE_UNAVAILABLE',
  ],
});

const plan = declareOperation({
  ...importRights.read,
  id: 'getTransferImportPlan',
  method: 'GET',
  path: 'admin/transfer/imports/:id/plan',
  summary: 'Get the plan of an analyzed import',
  params: importParams,
  response: z.object({ plan: planSchema, planDigest: digestSchema }),
  errors: [...importErrors, 'TRANSFER_INVALID_STATE'],
});

/** The analysis of packages (contract 25). */
@Controller()
export class AnalysisController {
  constructor(private readonly deps: TransferDeps) {}

  @Operation(analyze)
  analyze(@Ctx() ctx: Context, @Input() { params: { id }, body }: InputOf<typeof analyze>) {
    return analyzeTransferImport(ctx, this.deps, { id, ...body });
  }

  @Operation(plan)
  plan(@Ctx() ctx: Context, @Input() { params: { id } }: InputOf<typeof plan>) {
    return getTransferImportPlan(ctx, id);
  }
}
