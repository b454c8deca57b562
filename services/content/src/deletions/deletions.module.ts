import { ResourceModule } from '@quire/operation';
import { Deletion } from './deletion.entity.js';

@ResourceModule({ entities: [Deletion] })
export class DeletionsModule {}
