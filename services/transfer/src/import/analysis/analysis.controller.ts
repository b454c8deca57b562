import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { BodyStream, Ctx, type StreamedBody } from '@quire/http-server';
import { declareOperation, Operation } from '@quire/operation';
import { z } from 'zod';
import { TransferDeps } from '../../transfer-deps.js';
import { analysisSchema, type Analysis } from './analysis.schemas.js';
import { analyzeExport } from './analyze-export.js';

const analyze = declareOperation({
  id: 'analyzeExport',
  method: 'POST',
  path: 'import/legacy/analyze',
  summary: 'Analyze an export file',
  tag: 'Import',
  access: 'import:execute',
  scope: 'admin',
  isDocumented: false,
  // Large files take as long as their upload.
  timeoutSeconds: 3600,
  stream: {
    mediaType: 'multipart/form-data',
    schema: z.object({ file: z.string().meta({ format: 'binary' }) }),
  },
  response: analysisSchema,
  errors: ['NO_FILE', 'IMPORT_INVALID_FILE'],
});

/** The analysis of export files (spec document 3; contract 1.2). */
@Controller()
export class AnalysisController {
  constructor(private readonly deps: TransferDeps) {}

  @Operation(analyze)
  analyze(@Ctx() ctx: Context, @BodyStream() body: StreamedBody): Promise<Analysis> {
    return analyzeExport(ctx, this.deps, body);
  }
}
