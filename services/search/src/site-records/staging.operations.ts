import { recordsOf, stagingOperations } from '@quire/site-records';
import { SearchCollection } from '../collections/index.js';
import { stagedRecords } from './staged-records.js';

const recordSources = [recordsOf('search_collections', SearchCollection)];

/** Copies of the search settings. */
export const {
  stage: stageSiteRecords,
  read: readSiteRecords,
  discard: discardSiteRecords,
} = stagingOperations(stagedRecords, { sources: () => Promise.resolve(recordSources) });
