import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { siteRecords, type ResponseOf } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { SchemaChanges } from '../schema/index.js';
import { fencingTokens } from './fencing-tokens.js';
import { clearSiteRecords } from './operations/clear-site-records.js';
import { finishSiteRecords } from './operations/finish-site-records.js';
import { inspectSiteRecords } from './operations/inspect-site-records.js';
import {
  discardSiteRecords,
  readSiteRecords,
  stageSiteRecords,
  writeSiteRecords,
} from './site-records.operations.js';

const { stage, read, discard, inspect, clear, write, finish } = siteRecords.content;

/** The records of a site, for exports and imports of the transfer service. */
@Controller()
export class SiteRecordsInternalController {
  constructor(private readonly changes: SchemaChanges) {}

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

  @Operation(inspect)
  inspectSiteRecords(@Ctx() ctx: Context): Promise<ResponseOf<typeof inspect>> {
    return inspectSiteRecords(ctx);
  }

  @Operation(clear)
  async clearSiteRecords(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof clear>,
  ): Promise<ResponseOf<typeof clear>> {
    return clearSiteRecords(await fencingTokens.accept(ctx, body.fencingToken), this.changes);
  }

  @Operation(write)
  async writeSiteRecords(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof write>,
  ): Promise<ResponseOf<typeof write>> {
    return writeSiteRecords(await fencingTokens.accept(ctx, body.fencingToken), this.changes, body);
  }

  @Operation(finish)
  finishSiteRecords(@Ctx() ctx: Context): Promise<ResponseOf<typeof finish>> {
    return finishSiteRecords(ctx, this.changes);
  }
}
