import { ResourceModule } from '@quire/operation';
import { StagedRecord } from '@quire/site-records';
import { KeptObject } from './kept-object.entity.js';
import { SiteRecordsInternalController } from './site-records.internal.controller.js';

@ResourceModule({ controllers: [SiteRecordsInternalController], entities: [KeptObject, StagedRecord] })
export class SiteRecordsModule {}
