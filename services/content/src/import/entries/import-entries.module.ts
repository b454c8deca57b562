import { ResourceModule } from '@quire/operation';
import { ImportEntriesInternalController } from './import-entries.internal.controller.js';

@ResourceModule({ controllers: [ImportEntriesInternalController] })
export class ImportEntriesModule {}
