export { connectSearchEngine, type SearchEngineOptions } from './connect.js';
export type {
  IndexStates,
  SupersededIds,
  SearchEngine,
  SearchSite,
  SiteIndexes,
} from './port/search-engine.js';
export { SearchEngineUnavailable, SearchIndexMissing } from './port/search-engine-errors.js';
export { addStatusesIndexes, keepTermsInRows } from './postgres/index-table.js';
export { addViewsToTables } from './tables/add-views.js';
export {
  indexFormat,
  lastVersion,
  searchLimits,
  searchStatuses,
  tokenizers,
  type DocumentView,
  type IndexDocument,
  type RemovedDocument,
  type SearchIndex,
  type SearchStatus,
  type Tokenizer,
} from './port/search-index.js';
export type {
  SearchHit,
  SearchPage,
  SearchRequest,
  SuggestRequest,
  Suggestion,
} from './port/search-request.js';
