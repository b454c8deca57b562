import { Controller, Req, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx, sendDownload } from '@quire/http-server';
import { declareOperation, Input, Operation, rowId, storableText, type InputOf } from '@quire/operation';
import { manifestPath } from '@quire/site-package';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { TransferDeps } from '../../transfer-deps.js';
import { archiveSize, readArchive } from '../archive/read-archive.js';
import { openFile } from '../package-files/stored-files.js';
import { findCompleteExport, findExportFile } from './exports.operations.js';

const shared = {
  tag: 'Site transfer',
  access: 'transfer:export',
  scope: 'transfer:export',
  method: 'GET',
  envelope: false,
  response: z.unknown(),
} as const;
const id = rowId;
const errors = ['TRANSFER_OPERATION_NOT_FOUND', 'TRANSFER_INVALID_STATE', 'TRANSFER_EXPIRED'] as const;

const manifest = declareOperation({
  ...shared,
  id: 'getTransferExportManifest',
  path: 'admin/transfer/exports/:id/manifest',
  summary: 'Download the manifest of a complete export',
  params: z.object({ id }),
  download: { mediaType: 'application/json' },
  errors,
});

const file = declareOperation({
  ...shared,
  id: 'downloadTransferExportFile',
  path: 'admin/transfer/exports/:id/files/*',
  summary: 'Download a file of a complete export',
  params: z.object({ id, '*': storableText(z.string().max(200)) }),
  download: { mediaType: 'application/octet-stream' },
  errors: [...errors, 'NOT_FOUND'],
});

const archive = declareOperation({
  ...shared,
  id: 'downloadTransferExportArchive',
  path: 'admin/transfer/exports/:id/archive',
  summary: 'Download a complete export as a tar archive; a Range continues an interrupted download',
  params: z.object({ id }),
  download: { mediaType: 'application/x-tar' },
  errors,
});

/** The files of complete exports (contract 25). Every download can be continued with Range and If-Range. */
@Controller()
export class DownloadsController {
  constructor(private readonly deps: TransferDeps) {}

  @Operation(manifest)
  manifest(
    @Ctx() ctx: Context,
    @Input() { params }: InputOf<typeof manifest>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.sendFile(ctx, { id: params.id, path: manifestPath }, { request, reply });
  }

  @Operation(file)
  file(
    @Ctx() ctx: Context,
    @Input() { params }: InputOf<typeof file>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.sendFile(ctx, { id: params.id, path: params['*'] }, { request, reply });
  }

  @Operation(archive)
  async archive(
    @Ctx() ctx: Context,
    @Input() { params }: InputOf<typeof archive>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const operation = await findCompleteExport(ctx, params.id);
    const size = await archiveSize(ctx, operation.id);
    await sendDownload(request, reply, {
      contentType: 'application/x-tar',
      filename: `${ctx.principal.tenant.id}-${operation.createdAt.slice(0, 10)}.tar`,
      size,
      etag: `"${operation.id}"`,
      open: (range = { start: 0, end: size - 1 }) =>
        Promise.resolve(readArchive(ctx, this.deps.store, operation, range)),
    });
  }

  private async sendFile(
    ctx: Context,
    { id: operationId, path }: { id: string; path: string },
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  ): Promise<void> {
    const { bytes, sha256, objectKey } = await findExportFile(ctx, operationId, path);
    await sendDownload(request, reply, {
      contentType: contentTypeOf(path),
      filename: path.split('/').at(-1) ?? path,
      size: bytes,
      etag: `"${sha256}"`,
      open: (range) => openFile(this.deps.store, { path, objectKey }, range),
    });
  }
}

function contentTypeOf(path: string): string {
  if (path.endsWith('.json')) return 'application/json';
  return path.endsWith('.ndjson') ? 'application/x-ndjson' : 'application/octet-stream';
}
