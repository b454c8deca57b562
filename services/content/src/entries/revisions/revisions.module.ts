import { ResourceModule } from '@quire/operation';
import { Revision } from './revision.entity.js';
import { RevisionsController } from './revisions.controller.js';
import { RevisionTools } from './revisions.tools.js';

@ResourceModule({ controllers: [RevisionsController], providers: [RevisionTools], entities: [Revision] })
export class RevisionsModule {}
