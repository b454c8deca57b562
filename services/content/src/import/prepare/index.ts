export { PrepareController } from './prepare.controller.js';
