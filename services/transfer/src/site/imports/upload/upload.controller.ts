import { Controller, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { BodyStream, Ctx, type StreamedBody } from '@quire/http-server';
import { Idempotent, type KeyedRequest } from '@quire/idempotency';
import { declareOperation, Input, Operation, pageQuery, storableText, type InputOf } from '@quire/operation';
import { manifestSchema } from '@quire/site-package';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { TransferDeps } from '../../../transfer-deps.js';
import { operationSchema, toOperationResponse } from '../../operations/operation-response.js';
import { createTransferImport } from '../creation/create-transfer-import.js';
import { receiveManifest } from '../creation/receive-manifest.js';
import { importErrors, importParams, importRights } from '../import-declarations.js';
import { listTransferImportMissingFiles, missingFilesOf } from './list-transfer-import-missing-files.js';
import { uploadTransferImportFile } from './upload-transfer-import-file.js';

/** Missing files in the response to the creation; `nextCursor` continues the list. */
const firstMissingFiles = 50;
/** Receiving a large file takes time before the response, and so does reading an index file. */
const uploadTimeoutSeconds = 3600;

const count = z.number().int().nonnegative();
const missingFiles = z.object({
  items: z.array(z.object({ path: z.string(), bytes: count, sha256: z.string() })),
  nextCursor: z.string().optional(),
});
const created = z.object({ operation: operationSchema, created: z.boolean(), missing: missingFiles });

const create = declareOperation({
  ...importRights.prepare,
  id: 'createTransferImport',
  method: 'POST',
  path: 'admin/transfer/imports',
  summary: 'Create an import from the manifest of a package, whose digest is that of the exact bytes',
  stream: { mediaType: 'application/json', schema: manifestSchema },
  idempotency: true,
  status: 201,
  response: created,
  alternativeResponse: {
    status: 200,
    description: 'The import that an earlier request with the same Idempotency-Key created',
    response: created,
  },
  errors: [
    'INVALID_REQUEST',
    'INSUFFICIENT_PERMISSIONS',
    'TRANSFER_MANIFEST_INVALID',
    'TRANSFER_UNSUPPORTED_FORMAT',
    'TRANSFER_UNSUPPORTED_FEATURE',
    'TRANSFER_LIMIT_EXCEEDED',
    'TRANSFER_IDEMPOTENCY_CONFLICT',
    'TRANSFER_INVALID_STATE',
    'STORAGE_QUOTA_EXCEEDED',
  ],
});

const missing = declareOperation({
  ...importRights.prepare,
  id: 'listTransferImportMissingFiles',
  method: 'GET',
  path: 'admin/transfer/imports/:id/missing',
  summary: 'List the files of the package that are not uploaded, as far as its index is received',
  params: importParams,
  query: pageQuery,
  response: missingFiles,
  errors: [...importErrors, 'INVALID_CURSOR'],
});

const upload = declareOperation({
  ...importRights.prepare,
  id: 'uploadTransferImportFile',
  method: 'PUT',
  path: 'admin/transfer/imports/:id/files/*',
  summary: 'Upload a file of the package; the index files declare all others',
  timeoutSeconds: uploadTimeoutSeconds,
  params: importParams.extend({ '*': storableText(z.string()) }),
  stream: { mediaType: '*/*', schema: z.string().meta({ format: 'binary' }) },
  response: z.object({
    path: z.string(),
    bytes: count,
    alreadyVerified: z.boolean().describe('Whether the file was stored already; then the body is not read'),
    remaining: count.describe('Files that are not uploaded, as far as the index is received'),
  }),
  errors: [
    ...importErrors,
    'INVALID_REQUEST',
    'LENGTH_REQUIRED',
    'TRANSFER_INVALID_STATE',
    'TRANSFER_PATH_INVALID',
    'TRANSFER_FILE_NOT_DECLARED',
    'TRANSFER_FILE_SIZE_MISMATCH',
    'TRANSFER_FILE_DIGEST_MISMATCH',
    'TRANSFER_MANIFEST_INVALID',
    'TRANSFER_LIMIT_EXCEEDED',
    'STORAGE_QUOTA_EXCEEDED',
    'TRANSFER_STORAGE_ERROR',
  ],
});

/** Receives the packages of imports (contract 25). */
@Controller()
export class UploadController {
  constructor(private readonly deps: TransferDeps) {}

  @Operation(create)
  async create(
    @Ctx() ctx: Context,
    @BodyStream() body: StreamedBody,
    @Idempotent() keyed: KeyedRequest | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const received = await receiveManifest(ctx, body);
    const { operation, created } = await createTransferImport(ctx, this.deps, {
      received,
      idempotencyKey: keyed?.key,
    });
    if (!created) void reply.status(200).header('idempotency-replayed', 'true');
    const { id } = operation;
    const missing = await missingFilesOf(ctx, { id, limit: firstMissingFiles });
    return { operation: toOperationResponse(operation), created, missing };
  }

  @Operation(missing)
  missing(@Ctx() ctx: Context, @Input() { params: { id }, query }: InputOf<typeof missing>) {
    return listTransferImportMissingFiles(ctx, { id, ...query });
  }

  @Operation(upload)
  upload(
    @Ctx() ctx: Context,
    @Input() { params: { id, '*': path } }: InputOf<typeof upload>,
    @BodyStream() body: StreamedBody,
  ) {
    return uploadTransferImportFile(ctx, this.deps, { id, path, body });
  }
}
