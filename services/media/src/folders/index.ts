export { MediaFolder } from './folder.entity.js';
export { FoldersController } from './folders.controller.js';
export { foldersMigration } from './folders.tables.js';
