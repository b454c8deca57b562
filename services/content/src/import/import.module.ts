import { ResourceModule } from '@quire/operation';
import { ImportInternalController } from './import.internal.controller.js';

/** What imports need beside entries: the schema, bylines, terms, sections, comments, menus, addresses of files. */
@ResourceModule({ controllers: [ImportInternalController] })
export class ImportModule {}
