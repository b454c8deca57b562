export { createImportSources, type SourceConfiguration } from './create-import-sources.js';
export type { SourceNetwork } from './source-network.js';
export { ImportSources } from './import-sources.js';
export {
  entryFromSourceItem,
  SourceItemIndex,
  type IndexedItem,
  type SourceItemContext,
} from './items/index.js';
