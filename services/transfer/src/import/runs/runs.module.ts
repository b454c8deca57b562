import { ResourceModule } from '@quire/operation';
import { ImportIssue } from './import-issue.entity.js';
import { ImportItem } from './import-item.entity.js';
import { Import } from './import.entity.js';

@ResourceModule({ entities: [Import, ImportItem, ImportIssue] })
export class RunsModule {}
