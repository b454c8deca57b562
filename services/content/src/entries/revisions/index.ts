export { RevisionsController } from './revisions.controller.js';
