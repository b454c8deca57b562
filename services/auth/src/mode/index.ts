export { ModeController } from './mode.controller.js';
export { readMode } from './operations/read-mode.js';
