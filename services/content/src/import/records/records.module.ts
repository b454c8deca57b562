import { ResourceModule } from '@quire/operation';
import { ImportRecord } from './import-record.entity.js';

/** The records of imports. */
@ResourceModule({ entities: [ImportRecord] })
export class ImportRecordsModule {}
