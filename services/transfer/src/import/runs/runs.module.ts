import { ResourceModule } from '@quire/operation';
import { ImportIssue } from './import-issue.entity.js';
import { ImportItem } from './import-item.entity.js';
import { Import } from './import.entity.js';
import { RunsController } from './runs.controller.js';
import { SourceImportsController } from './source-imports.controller.js';

@ResourceModule({
  controllers: [RunsController, SourceImportsController],
  entities: [Import, ImportItem, ImportIssue],
})
export class RunsModule {}
