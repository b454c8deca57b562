export { Revision } from './revision.entity.js';
