export {
  updateProgress,
  selectCollection,
  selectEnabledCollections,
  selectGenerations,
  activateGeneration,
  insertGeneration,
  hasUniformFields,
  selectLiveIndexes,
  deleteCollection,
  deleteGenerations,
  toSearchIndex,
  invalidateGenerations,
  disableCollection,
  setMismatch,
  setHidden,
  setIndexLost,
  setMixed,
  upsertSettings,
  type CollectionRow,
  type GenerationRow,
  type IndexSpec,
  type LiveIndex,
} from './collections.repository.js';
export { collectionsMigration, differencesMigration, formatsMigration } from './collections.tables.js';
export { SearchCollection } from './search-collection.entity.js';
export { SearchGeneration } from './search-generation.entity.js';
