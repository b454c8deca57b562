export { addImportCommands } from './import-command.js';
