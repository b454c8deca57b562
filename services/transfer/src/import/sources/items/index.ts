export { analyzeItems } from './analyze-items.js';
export { entryFromSourceItem, type SourceItemContext } from './entry-from-source-item.js';
export {
  SourceItemIndex,
  type IndexedItem,
  type ItemTaxonomy,
  type SourceItemRow,
} from './source-item-index.js';
