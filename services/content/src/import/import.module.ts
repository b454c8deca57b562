import { ResourceModule } from '@quire/operation';
import { ImportInternalController } from './import.internal.controller.js';
import { PrepareController } from './prepare/index.js';
import { RewriteUrlsController } from './rewrite-urls/index.js';

/** What imports need beside entries: the schema, bylines, terms, sections, comments, menus, addresses of files. */
@ResourceModule({ controllers: [ImportInternalController, PrepareController, RewriteUrlsController] })
export class ImportModule {}
