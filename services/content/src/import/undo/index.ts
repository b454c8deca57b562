export { undoImport } from './undo-import.js';
