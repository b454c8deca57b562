import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { listSiteMediaFiles, listSiteMediaObjects, siteRecords, type ResponseOf } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { selectItemObjects } from './item-objects.repository.js';
import { MediaChangeNotifier } from '../items/index.js';
import { MediaObjects } from '../objects/index.js';
import { UsageDeps } from '../usage/index.js';
import {
  discardSiteRecords,
  listKeptFiles,
  readSiteRecords,
  stageSiteRecords,
} from './staging.operations.js';
import { clearSiteRecords } from './writing/clear-site-records.js';
import { inspectSiteRecords } from './writing/inspect-site-records.js';
import { finishSiteRecords, writeSiteRecords } from './writing/writing.operations.js';

const { stage, read, discard, inspect, clear, write, finish } = siteRecords.media;

/** The media library for exports and imports of sites. */
@Controller()
export class SiteRecordsInternalController {
  constructor(
    private readonly objects: MediaObjects,
    private readonly notifier: MediaChangeNotifier,
    private readonly usage: UsageDeps,
  ) {}

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

  @Operation(listSiteMediaFiles)
  async listSiteMediaFiles(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof listSiteMediaFiles>,
  ): Promise<ResponseOf<typeof listSiteMediaFiles>> {
    return { items: await listKeptFiles(ctx, body) };
  }

  @Operation(listSiteMediaObjects)
  async listSiteMediaObjects(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof listSiteMediaObjects>,
  ): Promise<ResponseOf<typeof listSiteMediaObjects>> {
    return { items: await selectItemObjects(ctx.db, body) };
  }

  @Operation(inspect)
  inspect(@Ctx() ctx: Context): Promise<ResponseOf<typeof inspect>> {
    return inspectSiteRecords(ctx);
  }

  @Operation(clear)
  clear(@Ctx() ctx: Context, @Input() _: InputOf<typeof clear>): Promise<ResponseOf<typeof clear>> {
    return clearSiteRecords(ctx, this.notifier);
  }

  @Operation(write)
  async write(
    @Ctx() ctx: Context,
    @Input() { body }: InputOf<typeof write>,
  ): Promise<ResponseOf<typeof write>> {
    await writeSiteRecords(ctx, this.objects, body);
    return {};
  }

  @Operation(finish)
  async finish(@Ctx() ctx: Context, @Input() _: InputOf<typeof finish>): Promise<ResponseOf<typeof finish>> {
    await finishSiteRecords(ctx, { notifier: this.notifier, usage: this.usage });
    return {};
  }
}
