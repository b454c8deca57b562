import { ResourceModule } from '@quire/operation';
import { ImportInternalController } from './import.internal.controller.js';
import { PrepareController } from './prepare/index.js';
import { ImportRecord } from './records/index.js';
import { RewriteUrlsController } from './rewrite-urls/index.js';

/** Imports of other platforms: the schema, entries and all beside them, addresses of files, and undoing. */
@ResourceModule({
  controllers: [ImportInternalController, PrepareController, RewriteUrlsController],
  entities: [ImportRecord],
})
export class ImportModule {}
