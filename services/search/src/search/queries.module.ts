import { ResourceModule } from '@quire/operation';
import { SearchController } from './search.controller.js';

@ResourceModule({ controllers: [SearchController] })
export class QueriesModule {}
