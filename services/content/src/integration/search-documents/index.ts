export { SearchDocumentsInternalController } from './search-documents.internal.controller.js';
export { searchVersionsMigration } from './search-versions.tables.js';
