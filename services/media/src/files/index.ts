export { FilesController } from './files.controller.js';
