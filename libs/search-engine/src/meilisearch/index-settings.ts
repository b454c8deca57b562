import type { Settings } from 'meilisearch';
import { searchLimits } from '../port/search-index.js';
import { termAttributes } from './meili-documents.js';

/**
 * Settings of an index. Terms are stored encoded and stemmed, so nothing is corrected or left out here; the matching
 * attribute counts before the distance of words, as PostgreSQL ranks by weights. Queries search all attributes:
 * attributes of an index that never had a document cannot be named.
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
