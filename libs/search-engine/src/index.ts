export { connectSearchEngine, type SearchEngineOptions } from './connect.js';
export type { Overtaken, SearchEngine, SearchSite, SiteIndexes } from './port/search-engine.js';
export { SearchEngineUnavailable, SearchIndexMissing } from './port/search-engine-errors.js';
export {
  lastVersion,
  searchLimits,
  tokenizers,
  type IndexDocument,
  type RemovedDocument,
  type SearchIndex,
  type Tokenizer,
} from './port/search-index.js';
export type {
  SearchHit,
  SearchPage,
  SearchRequest,
  SuggestRequest,
  Suggestion,
} from './port/search-request.js';
