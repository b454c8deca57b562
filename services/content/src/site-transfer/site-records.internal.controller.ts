import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { siteRecords, type ResponseOf } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { discardSiteRecords, readSiteRecords, stageSiteRecords } from './site-records.operations.js';

const { stage, read, discard } = siteRecords.content;

/** The records of a site, for the transfer service. */
@Controller()
export class SiteRecordsInternalController {
  @Operation(stage)
  stageSiteRecords(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof stage>,
  ): Promise<ResponseOf<typeof stage>> {
    return stageSiteRecords(ctx, body);
  }

  @Operation(read)
  readSiteRecords(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof read>,
  ): Promise<ResponseOf<typeof read>> {
    return readSiteRecords(ctx, body);
  }

  @Operation(discard)
  discardSiteRecords(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof discard>,
  ): Promise<ResponseOf<typeof discard>> {
    return discardSiteRecords(ctx, body);
  }
}
