export { toMediaItemResponse, itemSchema, type MediaItemResponse } from './item.mapper.js';
export { MediaChangeNotifier } from './media-change-notifier.js';
export { MediaFileChanges } from './file-changes.entity.js';
export { MediaItem, itemStatuses, type ItemStatus } from './item.entity.js';
export { selectItemById, itemColumns, mapMissingFolder, type ItemRow } from './items.repository.js';
export { dimension, itemText, itemParams, mainLibrary } from './items.schemas.js';
export { ItemsInternalController } from './items.internal.controller.js';
export { ItemsController } from './items.controller.js';
export { fileChangesMigration, itemsMigration } from './items.tables.js';
