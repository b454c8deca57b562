import { ResourceModule } from '@quire/operation';
import { KeptObject } from './kept-object.entity.js';
import { SiteRecordsInternalController } from './site-records.internal.controller.js';
import { stagedRecords } from './staged-records.js';

@ResourceModule({
  controllers: [SiteRecordsInternalController],
  entities: [KeptObject, stagedRecords.entity],
})
export class SiteRecordsModule {}
