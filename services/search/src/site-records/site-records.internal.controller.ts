import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { siteRecords, type ResponseOf } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { recordsOf } from '@quire/site-records';
import { SearchCollection } from '../collections/index.js';
import { stagedRecords } from './staged-records.js';

const { stage, read, discard } = siteRecords.search;
const recordSources = [recordsOf('search_collections', SearchCollection)];

/** The search settings for site exports. */
@Controller()
export class SiteRecordsInternalController {
  @Operation(stage)
  async stage(
    @Ctx() ctx: Context,
    @Input() { body: { operationId } }: InputOf<typeof stage>,
  ): Promise<ResponseOf<typeof stage>> {
    return { counts: await stagedRecords.stage(ctx.db, operationId, () => Promise.resolve(recordSources)) };
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
    return {};
  }
}
