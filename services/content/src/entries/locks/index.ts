export { LocksController } from './locks.controller.js';
