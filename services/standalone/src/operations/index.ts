export { openOperations } from './open-operations.js';
