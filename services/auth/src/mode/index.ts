export { ModeController } from './mode.controller.js';
