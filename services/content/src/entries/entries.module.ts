import { ResourceModule } from '@quire/operation';
import { EntriesController } from './entries.controller.js';
import { EntryPublicationTools } from './entry-publication.tools.js';
import { EntryReadingTools } from './entry-reading.tools.js';
import { EntryWritingTools } from './entry-writing.tools.js';
import { ImportError } from './import-errors/index.js';
import { ReferencesController } from './references/references.controller.js';

/** The tables of the collections are no entities: their columns are the collections' fields. */
@ResourceModule({
  controllers: [EntriesController, ReferencesController],
  providers: [EntryReadingTools, EntryWritingTools, EntryPublicationTools],
  entities: [ImportError],
})
export class EntriesModule {}
