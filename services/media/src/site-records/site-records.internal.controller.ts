import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { listSiteMediaFiles, siteRecords, type ResponseOf } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { resumeObjectDeletions } from '../objects/index.js';
import { keepObjects, releaseObjects, selectKeptFiles } from './kept-objects.repository.js';
import { recordSources } from './record-sources.js';
import { stagedRecords } from './staged-records.js';

const { stage, read, discard } = siteRecords.media;
/** Longer than an export and its lifetime. */
const keptDays = 9;

/** The media library for site exports. */
@Controller()
export class SiteRecordsInternalController {
  @Operation(stage)
  async stage(
    @Ctx() ctx: Context,
    @Input() { body: { operationId } }: InputOf<typeof stage>,
  ): Promise<ResponseOf<typeof stage>> {
    const counts = await stagedRecords.stage(ctx.db, operationId, async (tx) => {
      await keepObjects(tx, operationId, keptDays);
      return recordSources;
    });
    return { counts };
  }

  @Operation(read)
  read(
    @Ctx() ctx: Context,
    @Input() { body: { operationId, ...page } }: InputOf<typeof read>,
  ): Promise<ResponseOf<typeof read>> {
    return stagedRecords.read(ctx.db, operationId, page);
  }

  @Operation(discard)
  async discard(
    @Ctx() ctx: Context,
    @Input() { body: { operationId } }: InputOf<typeof discard>,
  ): Promise<ResponseOf<typeof discard>> {
    await stagedRecords.discard(ctx.db, operationId);
    await ctx.db.transaction(async (tx) => resumeObjectDeletions(tx, await releaseObjects(tx, operationId)));
    return {};
  }

  @Operation(listSiteMediaFiles)
  async listSiteMediaFiles(
    @Ctx() ctx: Context,
    @Input() { body: { operationId, ...page } }: InputOf<typeof listSiteMediaFiles>,
  ): Promise<ResponseOf<typeof listSiteMediaFiles>> {
    return { items: await selectKeptFiles(ctx.db, operationId, page) };
  }
}
