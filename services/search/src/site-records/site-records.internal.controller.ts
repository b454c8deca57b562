import { Controller } from '@nestjs/common';
import { siteRecordsController } from '@quire/site-records';
import { SearchDeps } from '../search-deps.js';
import { fencingTokens } from './fencing-tokens.js';
import { discardSiteRecords, readSiteRecords, stageSiteRecords } from './staging.operations.js';
import {
  clearSiteRecords,
  finishSiteRecords,
  inspectSiteRecords,
  writeSiteRecords,
} from './writing/writing.operations.js';

/** The search settings for exports and imports of sites. */
@Controller()
export class SiteRecordsInternalController extends siteRecordsController('search', fencingTokens) {
  constructor(deps: SearchDeps) {
    super({
      stage: stageSiteRecords,
      read: readSiteRecords,
      discard: discardSiteRecords,
      inspect: inspectSiteRecords,
      clear: (ctx) => clearSiteRecords(ctx, deps),
      write: (ctx, request) => writeSiteRecords(ctx, deps, request),
      finish: finishSiteRecords,
    });
  }
}
