export { LocksController } from './locks.controller.js';
export { locksMigration } from './locks.tables.js';
