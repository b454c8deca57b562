import { ResourceModule } from '@quire/operation';
import { SearchController } from './search.controller.js';
import { SearchTools } from './search.tools.js';

@ResourceModule({ controllers: [SearchController], providers: [SearchTools] })
export class QueriesModule {}
