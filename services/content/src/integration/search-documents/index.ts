export { SearchDocumentsInternalController } from './search-documents.internal.controller.js';
