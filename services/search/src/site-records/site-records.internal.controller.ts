import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { siteRecords, type ResponseOf } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { SearchDeps } from '../search-deps.js';
import { fencingTokens } from './fencing-tokens.js';
import { discardSiteRecords, readSiteRecords, stageSiteRecords } from './staging.operations.js';
import {
  clearSiteRecords,
  finishSiteRecords,
  inspectSiteRecords,
  writeSiteRecords,
} from './writing/writing.operations.js';

const { stage, read, discard, inspect, clear, write, finish } = siteRecords.search;

/** The search settings for exports and imports of sites. */
@Controller()
export class SiteRecordsInternalController {
  constructor(private readonly deps: SearchDeps) {}

  @Operation(stage)
  stage(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof stage>): Promise<ResponseOf<typeof stage>> {
    return stageSiteRecords(ctx, body);
  }

  @Operation(read)
  read(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof read>): Promise<ResponseOf<typeof read>> {
    return readSiteRecords(ctx, body);
  }

  @Operation(discard)
  discard(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof discard>,
  ): Promise<ResponseOf<typeof discard>> {
    return discardSiteRecords(ctx, body);
  }

  @Operation(inspect)
  inspect(@Ctx() ctx: Context): Promise<ResponseOf<typeof inspect>> {
    return inspectSiteRecords(ctx);
  }

  @Operation(clear)
  async clear(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof clear>,
  ): Promise<ResponseOf<typeof clear>> {
    return clearSiteRecords(await fencingTokens.accept(ctx, body.fencingToken), this.deps);
  }

  @Operation(write)
  async write(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof write>,
  ): Promise<ResponseOf<typeof write>> {
    return writeSiteRecords(await fencingTokens.accept(ctx, body.fencingToken), this.deps, body);
  }

  @Operation(finish)
  finish(@Ctx() ctx: Context, @Input() _: InputOf<typeof finish>): Promise<ResponseOf<typeof finish>> {
    return finishSiteRecords(ctx);
  }
}
