export { enableSearch } from './settings.operations.js';
export { enableBody } from './settings.schemas.js';
