import { Controller } from '@nestjs/common';
import { siteRecordsController } from '@quire/site-records';
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

/** The records of a site, for exports and imports of the transfer service. */
@Controller()
export class SiteRecordsInternalController extends siteRecordsController('content', fencingTokens) {
  constructor(changes: SchemaChanges) {
    super({
      stage: stageSiteRecords,
      read: readSiteRecords,
      discard: discardSiteRecords,
      inspect: inspectSiteRecords,
      clear: (ctx) => clearSiteRecords(ctx, changes),
      write: (ctx, request) => writeSiteRecords(ctx, changes, request),
      finish: (ctx) => finishSiteRecords(ctx, changes),
    });
  }
}
