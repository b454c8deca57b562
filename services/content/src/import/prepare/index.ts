export { singularOf } from './collection-settings.js';
export { PrepareController } from './prepare.controller.js';
