export { StartController } from './start.controller.js';
