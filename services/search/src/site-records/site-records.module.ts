import { ResourceModule } from '@quire/operation';
import { SiteRecordsInternalController } from './site-records.internal.controller.js';
import { stagedRecords } from './staged-records.js';

@ResourceModule({ controllers: [SiteRecordsInternalController], entities: [stagedRecords.entity] })
export class SiteRecordsModule {}
