export { ImportError, type ImportErrorDetails } from './import-error.entity.js';
export {
  deleteImportErrors,
  hasImportError,
  importErrorDeletion,
  importErrorOfEntry,
  upsertImportErrors,
} from './import-errors.repository.js';
