import { ResourceModule } from '@quire/operation';
import { EntriesController } from './entries.controller.js';
import { EntryPublicationTools } from './entry-publication.tools.js';
import { EntryReadingTools } from './entry-reading.tools.js';
import { EntryWritingTools } from './entry-writing.tools.js';
import { ReferencesController } from './references/references.controller.js';

/** Its tables are those of the collections, which are no entities: their columns are the collections' fields. */
@ResourceModule({
  controllers: [EntriesController, ReferencesController],
  providers: [EntryReadingTools, EntryWritingTools, EntryPublicationTools],
})
export class EntriesModule {}
