import { ResourceModule } from '@quire/operation';
import { NotFoundLogController } from './not-found-log.controller.js';
import { NotFoundEntry } from './not-found.entity.js';

@ResourceModule({ controllers: [NotFoundLogController], entities: [NotFoundEntry] })
export class NotFoundLogModule {}
