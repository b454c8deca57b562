import type { Settings } from 'meilisearch';
import { searchLimits } from '../port/search-index.js';
import { termAttributes } from './meili-documents.js';

/**
 * How an index is set up. Terms come in code, cut and stemmed already, so nothing is corrected or left out here; which
 * attribute matches counts before how near words are to each other, as PostgreSQL ranks by weights. Queries ask all
 * attributes: those of an index that never had a document cannot be named.
 */
export const indexSettings: Settings = {
  searchableAttributes: [...termAttributes, 'key'],
  displayedAttributes: ['id', 'locale', 'slug', 'title', 'texts'],
  filterableAttributes: ['locale', 'statuses'],
  sortableAttributes: ['key'],
  rankingRules: ['words', 'sort', 'attribute', 'proximity', 'exactness', 'titleLength:asc'],
  stopWords: [],
  synonyms: {},
  typoTolerance: { enabled: false },
  facetSearch: false,
  prefixSearch: 'indexingTime',
  proximityPrecision: 'byWord',
  pagination: { maxTotalHits: searchLimits.maxHits },
};
