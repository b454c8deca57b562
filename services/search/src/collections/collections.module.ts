import { ResourceModule } from '@quire/operation';
import { SearchCollection } from './search-collection.entity.js';
import { SearchGeneration } from './search-generation.entity.js';

@ResourceModule({ entities: [SearchCollection, SearchGeneration] })
export class CollectionsModule {}
