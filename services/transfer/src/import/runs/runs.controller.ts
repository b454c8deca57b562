import { Controller, Headers, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { BodyStream, Ctx, ndjson, type StreamedBody } from '@quire/http-server';
import { declareOperation, Input, Operation, rowId, type InputOf } from '@quire/operation';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { TransferDeps } from '../../transfer-deps.js';
import { importResultSchema } from './import-result.js';
import { getImport, listImports, pauseImport, toImportResponse, undoImport } from './runs.operations.js';
import { resumeImport, startImport } from './start-import.js';
import { awaitImport, watchImport } from './watch-import.js';

const shared = { tag: 'Import', access: 'import:execute', scope: 'admin', isDocumented: false } as const;
const params = z.object({ id: rowId });
/** Seconds that a request waits for the end of its import; the import does not depend on it. */
const waitSeconds = 24 * 3600;

const importSchema = z.object({
  id: z.string(),
  source: z.string(),
  site: z.string(),
  fileName: z.string().nullable(),
  fileSize: z.number().nullable(),
  fileHash: z.string().nullable(),
  state: z.string(),
  phase: z.string(),
  progress: z.object({ done: z.number().int(), total: z.number().int() }),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  requestedBy: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});

const execute = declareOperation({
  ...shared,
  id: 'startImport',
  method: 'POST',
  path: 'import/legacy/execute',
  summary: 'Import an export file into mapped collections',
  timeoutSeconds: waitSeconds,
  stream: {
    mediaType: 'multipart/form-data',
    schema: z.object({ file: z.string().meta({ format: 'binary' }).optional(), config: z.string() }),
  },
  response: importResultSchema,
  alternativeResponse: {
    status: 202,
    description: 'The started import, for a request with `Prefer: respond-async`',
    response: z.object({ importId: z.string() }),
  },
  errors: [
    'NO_FILE',
    'IMPORT_INVALID_FILE',
    'IMPORT_RUNNING',
    'IMPORT_ERROR',
    'NOT_FOUND',
    'STORAGE_QUOTA_EXCEEDED',
  ],
  isBlockedInReadOnlyMode: true,
});

const list = declareOperation({
  ...shared,
  id: 'listImports',
  method: 'GET',
  path: 'import/legacy/imports',
  summary: 'List the imports of the site, newest first',
  query: z.object({
    cursor: z.string().optional(),
    limit: z.coerce.number().int().min(1).max(100).default(50),
  }),
  response: z.object({ items: z.array(importSchema), nextCursor: z.string().optional() }),
  errors: ['INVALID_CURSOR'],
});

const get = declareOperation({
  ...shared,
  id: 'getImport',
  method: 'GET',
  path: 'import/legacy/imports/:id',
  summary: 'Get an import with its summary',
  params,
  response: importSchema.extend({ result: importResultSchema }),
  errors: ['NOT_FOUND'],
});

const watch = declareOperation({
  ...shared,
  id: 'watchImport',
  method: 'GET',
  path: 'import/legacy/imports/:id/progress',
  summary: 'Stream the progress of an import',
  timeoutSeconds: waitSeconds,
  params,
  response: z.unknown(),
  errors: ['NOT_FOUND'],
});

const pause = declareOperation({
  ...shared,
  id: 'pauseImport',
  method: 'POST',
  path: 'import/legacy/imports/:id/pause',
  summary: 'Pause a running import after its present step',
  params,
  response: importSchema,
  errors: ['NOT_FOUND'],
});

const resume = declareOperation({
  ...shared,
  id: 'resumeImport',
  method: 'POST',
  path: 'import/legacy/imports/:id/resume',
  summary: 'Continue a paused or failed import',
  params,
  response: importSchema,
  errors: ['NOT_FOUND', 'IMPORT_RUNNING'],
  isBlockedInReadOnlyMode: true,
});

const undo = declareOperation({
  ...shared,
  id: 'undoImport',
  method: 'POST',
  path: 'import/legacy/imports/:id/undo',
  summary: 'Delete what an import created and nobody has changed since',
  timeoutSeconds: waitSeconds,
  params,
  response: z.object({
    deleted: z.record(z.string(), z.number().int()),
    kept: z.record(z.string(), z.number().int()),
  }),
  errors: ['NOT_FOUND', 'IMPORT_RUNNING'],
  isBlockedInReadOnlyMode: true,
});

/** Imports of export files and their records (spec document 3; contract 1.4). */
@Controller()
export class RunsController {
  constructor(private readonly deps: TransferDeps) {}

  @Operation(execute)
  async execute(
    @Ctx() ctx: Context,
    @BodyStream() body: StreamedBody,
    @Headers() headers: Record<string, string | undefined>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { row, request } = await startImport(ctx, this.deps, body);
    if (headers['prefer']?.includes('respond-async') === true) {
      void reply.status(202);
      return { importId: row.id };
    }
    if (request.stream || headers['accept']?.includes('application/x-ndjson') === true)
      return this.progress(ctx, reply, row.id);
    return awaitImport(ctx, row.id);
  }

  @Operation(list)
  list(@Ctx() ctx: Context, @Input() { query }: InputOf<typeof list>) {
    return listImports(ctx, query);
  }

  @Operation(get)
  get(@Ctx() ctx: Context, @Input() { params: { id } }: InputOf<typeof get>) {
    return getImport(ctx, id);
  }

  @Operation(watch)
  async watch(
    @Ctx() ctx: Context,
    @Input() { params: { id } }: InputOf<typeof watch>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    await getImport(ctx, id);
    return this.progress(ctx, reply, id);
  }

  @Operation(pause)
  pause(@Ctx() ctx: Context, @Input() { params: { id } }: InputOf<typeof pause>) {
    return pauseImport(ctx, id);
  }

  @Operation(resume)
  async resume(@Ctx() ctx: Context, @Input() { params: { id } }: InputOf<typeof resume>) {
    return toImportResponse(await resumeImport(ctx, this.deps, id));
  }

  @Operation(undo)
  undo(@Ctx() ctx: Context, @Input() { params: { id } }: InputOf<typeof undo>) {
    return undoImport(ctx, this.deps, id);
  }

  private progress(ctx: Context, reply: FastifyReply, importId: string) {
    return ndjson(reply, (signal) => watchImport(ctx, importId, signal), { logger: this.deps.logger });
  }
}
