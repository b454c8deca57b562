export { ImportError, type ImportErrorDetails } from './import-error.entity.js';
export {
  hasImportError,
  importErrorDeletion,
  importErrorOfEntry,
  upsertImportErrors,
} from './import-errors.repository.js';
