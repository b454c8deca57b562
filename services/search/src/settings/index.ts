export { enableSearch } from './settings.operations.js';
