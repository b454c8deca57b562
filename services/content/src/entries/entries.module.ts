import { ResourceModule } from '@quire/operation';
import { EntriesController } from './entries.controller.js';
import { ReferencesController } from './references/references.controller.js';

/** Its tables are those of the collections, which are no entities: their columns are the collections' fields. */
@ResourceModule({ controllers: [EntriesController, ReferencesController] })
export class EntriesModule {}
