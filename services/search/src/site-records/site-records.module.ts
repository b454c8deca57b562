import { ResourceModule } from '@quire/operation';
import { StagedRecord } from '@quire/site-records';
import { SiteRecordsInternalController } from './site-records.internal.controller.js';

@ResourceModule({ controllers: [SiteRecordsInternalController], entities: [StagedRecord] })
export class SiteRecordsModule {}
