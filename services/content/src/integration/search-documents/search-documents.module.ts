import { ResourceModule } from '@quire/operation';
import { SearchDocumentsInternalController } from './search-documents.internal.controller.js';

@ResourceModule({ controllers: [SearchDocumentsInternalController] })
export class SearchDocumentsModule {}
