export { itemAnswer, itemSchema, type ItemAnswer } from './item-answer.js';
export { ItemNews } from './item-news.js';
export { MediaFileChanges } from './file-changes.entity.js';
export { MediaItem, itemStatuses, type ItemStatus } from './item.entity.js';
export { itemById, itemColumns, requireFolder, type ItemRow } from './items.repository.js';
export { dimension, itemText, itemParams, mainLibrary } from './items.schemas.js';
export { ItemsInternalController } from './items.internal.controller.js';
export { ItemsController } from './items.controller.js';
export { fileChangesMigration, itemsMigration } from './items.tables.js';
