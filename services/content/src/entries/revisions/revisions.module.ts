import { ResourceModule } from '@quire/operation';
import { Revision } from './revision.entity.js';
import { RevisionsController } from './revisions.controller.js';

@ResourceModule({ controllers: [RevisionsController], entities: [Revision] })
export class RevisionsModule {}
