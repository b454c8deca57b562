import { ResourceModule } from '@quire/operation';
import { fencingTokens } from './fencing-tokens.js';
import { KeptObject } from './kept-object.entity.js';
import { SiteRecordsInternalController } from './site-records.internal.controller.js';
import { stagedRecords } from './staged-records.js';

@ResourceModule({
  controllers: [SiteRecordsInternalController],
  entities: [KeptObject, stagedRecords.entity, fencingTokens.entity],
})
export class SiteRecordsModule {}
