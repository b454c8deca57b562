import { Controller, Inject, Res } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx, ndjson } from '@quire/http-server';
import { declareOperation, Input, Operation, type InputOf } from '@quire/operation';
import type { FastifyReply } from 'fastify';
import { TransferDeps } from '../../transfer-deps.js';
import { mediaImportBody, mediaImportResult } from './media.schemas.js';
import { beginMediaImport } from './operations/begin-media-import.js';
import { awaitMediaImport, followMediaImport } from './operations/follow-media-import.js';

const maxBodyBytes = 10 * 1024 * 1024;

export const importMedia = declareOperation({
  id: 'beginMediaImport',
  method: 'POST',
  path: 'import/legacy/media',
  summary: 'Download the media of a legacy site into the media library',
  tag: 'Import',
  access: 'import:execute',
  scope: 'admin',
  body: mediaImportBody,
  maxBodyBytes,
  // Without a stream the response begins when all files are downloaded.
  timeoutSeconds: 6 * 3600,
  response: mediaImportResult,
  errors: ['SERVICE_UNAVAILABLE', 'STORAGE_QUOTA_EXCEEDED'],
  isDocumented: false,
  isBlockedInReadOnlyMode: true,
});

/** Downloads of the media of legacy sites (contract 1.5). */
@Controller()
export class MediaController {
  constructor(@Inject(TransferDeps) private readonly deps: TransferDeps) {}

  @Operation(importMedia)
  async importMedia(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof importMedia>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { clients, logger, wakeDispatcher } = this.deps;
    const id = await beginMediaImport(ctx, { media: clients.media, wakeDispatcher }, body.attachments);
    if (body.stream) return ndjson(reply, (signal) => followMediaImport(ctx, id, signal), { logger });
    const disconnected = new AbortController();
    reply.raw.once('close', () => disconnected.abort());
    return awaitMediaImport(ctx, id, disconnected.signal);
  }
}
