import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { listSiteMediaFiles, listSiteMediaObjects, type ResponseOf } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import { siteRecordsController } from '@quire/site-records';
import { MediaChangeNotifier } from '../items/index.js';
import { MediaObjects } from '../objects/index.js';
import { UsageDeps } from '../usage/index.js';
import { fencingTokens } from './fencing-tokens.js';
import { selectItemObjects } from './item-objects.repository.js';
import {
  discardSiteRecords,
  listKeptFiles,
  readSiteRecords,
  stageSiteRecords,
} from './staging.operations.js';
import { clearSiteRecords } from './writing/clear-site-records.js';
import { inspectSiteRecords } from './writing/inspect-site-records.js';
import { finishSiteRecords, writeSiteRecords } from './writing/writing.operations.js';

/** The media library for exports and imports of sites. */
@Controller()
export class SiteRecordsInternalController extends siteRecordsController('media', fencingTokens) {
  constructor(objects: MediaObjects, notifier: MediaChangeNotifier, usage: UsageDeps) {
    super({
      stage: stageSiteRecords,
      read: readSiteRecords,
      discard: discardSiteRecords,
      inspect: inspectSiteRecords,
      clear: (ctx) => clearSiteRecords(ctx, notifier),
      write: (ctx, request) => writeSiteRecords(ctx, objects, request),
      finish: (ctx) => finishSiteRecords(ctx, { notifier, usage }),
    });
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
}
