export {
  advance,
  collectionById,
  enabledCollections,
  generationsOf,
  goLive,
  insertGeneration,
  isPure,
  liveIndexes,
  removeCollection,
  removeGenerations,
  searchIndex,
  spoilGenerations,
  switchOff,
  writeDifference,
  writeHidden,
  writeLost,
  writeMixed,
  writeSettings,
  type CollectionRow,
  type GenerationRow,
  type IndexSpec,
  type LiveIndex,
} from './collections.repository.js';
export { collectionsMigration, differencesMigration, formatsMigration } from './collections.tables.js';
export { SearchCollection } from './search-collection.entity.js';
export { SearchGeneration } from './search-generation.entity.js';
