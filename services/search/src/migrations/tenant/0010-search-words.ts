import type { Migration } from '@quire/database';
import { keepTermsInRows } from '@quire/search-engine';

/** The engine creates its tables with this storage of words; rows of former tables get it when they are written. */
export const searchWordsMigration: Migration = {
  name: '0010-search-words',
  up: keepTermsInRows,
};
