import { ResourceModule } from '@quire/operation';
import { fencingTokens } from './fencing-tokens.js';
import { SiteRecordsInternalController } from './site-records.internal.controller.js';
import { stagedRecords } from './staged-records.js';

/** This service's part of site transfers: its records of a site. */
@ResourceModule({
  controllers: [SiteRecordsInternalController],
  entities: [stagedRecords.entity, fencingTokens.entity],
})
export class SiteTransferModule {}
