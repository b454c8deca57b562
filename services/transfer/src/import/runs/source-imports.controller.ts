import { Controller, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { BodyStream, Ctx, ndjson, type StreamedBody } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { TransferDeps } from '../../transfer-deps.js';
import { importResultSchema } from './import-result.js';
import { analyzeSource, startSourceImport } from './source-imports.operations.js';
import { awaitImport, watchImport } from './watch-import.js';

const shared = {
  tag: 'Import',
  access: 'import:execute',
  scope: 'admin',
  isDocumented: false,
  params: z.object({ sourceId: z.string().max(64) }),
} as const;

const analyze = declareOperation({
  ...shared,
  id: 'analyzeSource',
  method: 'POST',
  path: 'import/sources/:sourceId/analyze',
  summary: 'Analyze the content of a registered source',
  timeoutSeconds: 3600,
  stream: {
    mediaType: 'multipart/form-data',
    schema: z.object({
      file: z.string().meta({ format: 'binary' }).optional(),
      input: z.string().optional(),
    }),
  },
  response: z.unknown(),
  errors: ['NO_FILE', 'NOT_FOUND', 'SSRF_BLOCKED', 'IMPORT_ERROR'],
});

const execute = declareOperation({
  ...shared,
  id: 'startSourceImport',
  method: 'POST',
  path: 'import/sources/:sourceId/execute',
  summary: 'Import the content of a registered source into mapped collections',
  timeoutSeconds: 24 * 3600,
  stream: {
    mediaType: 'multipart/form-data',
    schema: z.object({
      file: z.string().meta({ format: 'binary' }).optional(),
      input: z.string().optional(),
      config: z.string(),
    }),
  },
  response: importResultSchema,
  errors: [
    'NO_FILE',
    'NOT_FOUND',
    'SSRF_BLOCKED',
    'IMPORT_RUNNING',
    'IMPORT_ERROR',
    'STORAGE_QUOTA_EXCEEDED',
  ],
  isBlockedInReadOnlyMode: true,
});

/** Imports from the sources of the installation's configuration (spec document 3, rule 7; contract 7). */
@Controller()
export class SourceImportsController {
  constructor(private readonly deps: TransferDeps) {}

  @Operation(analyze)
  analyze(
    @Ctx() ctx: Context,
    @Input() { params }: InputOf<typeof analyze>,
    @BodyStream() body: StreamedBody,
  ) {
    return analyzeSource(ctx, this.deps, params.sourceId, body);
  }

  @Operation(execute)
  async execute(
    @Ctx() ctx: Context,
    @Input() { params }: InputOf<typeof execute>,
    @BodyStream() body: StreamedBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { row, request } = await startSourceImport(ctx, this.deps, params.sourceId, body);
    const { logger } = this.deps;
    if (request.stream) return ndjson(reply, (signal) => watchImport(ctx, row.id, signal), { logger });
    return awaitImport(ctx, row.id);
  }
}
