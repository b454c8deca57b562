import type { Migration } from '@quire/database';
import { addStatusesIndexes } from '@quire/search-engine';

/** The engine creates the index of counts with a table; this one adds it to the tables of a site. */
export const searchCountsMigration: Migration = {
  name: '0004-search-counts',
  up: addStatusesIndexes,
};
