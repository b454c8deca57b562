import { Controller, Req, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx, sendDownload } from '@quire/http-server';
import { declareOperation, Input, Operation, rowId, storableText, type InputOf } from '@quire/operation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { TransferDeps } from '../../transfer-deps.js';
import {
  downloadTransferExportArchive,
  downloadTransferExportFile,
  getTransferExportManifest,
} from './downloads.operations.js';

const shared = {
  tag: 'Site transfer',
  access: 'transfer:export',
  scope: 'transfer:export',
  method: 'GET',
  envelope: false,
  response: z.unknown(),
} as const;
const id = rowId;
const errors = [
  'INSUFFICIENT_PERMISSIONS',
  'TRANSFER_OPERATION_NOT_FOUND',
  'TRANSFER_INVALID_STATE',
  'TRANSFER_EXPIRED',
] as const;

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
  async manifest(
    @Ctx() ctx: Context,
    @Input() { params: { id } }: InputOf<typeof manifest>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await sendDownload(request, reply, await getTransferExportManifest(ctx, this.deps, id));
  }

  @Operation(file)
  async file(
    @Ctx() ctx: Context,
    @Input() { params: { id, '*': path } }: InputOf<typeof file>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await sendDownload(request, reply, await downloadTransferExportFile(ctx, this.deps, { id, path }));
  }

  @Operation(archive)
  async archive(
    @Ctx() ctx: Context,
    @Input() { params: { id } }: InputOf<typeof archive>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await sendDownload(request, reply, await downloadTransferExportArchive(ctx, this.deps, id));
  }
}
