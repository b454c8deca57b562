import { IndexedDbStore } from './indexed-db-store.js';

/** The journal of this browser: that of all users and entries of the site. */
export const journalStore = new IndexedDbStore(indexedDB);
