export { deleteMedia } from './items.operations.js';
export { toMediaItemResponse, itemSchema, type MediaItemResponse } from './item.mapper.js';
export { MediaChangeNotifier } from './media-change-notifier.js';
export { MediaItem } from './item.entity.js';
export {
  selectExistingIds,
  selectItemById,
  selectItemByStorageKey,
  itemColumns,
  mapMissingFolder,
  type ItemRow,
} from './items.repository.js';
export { dimension, itemText, itemParams, mainLibrary } from './items.schemas.js';
