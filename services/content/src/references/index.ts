export { ReferencesController } from './references.controller.js';
