export { testSystem, type TestSystem } from './site/harness.js';
export type { Answer, Client } from './site/client.js';
export type { CollectionInput, FieldInput, TestCollection } from './site/collection.js';
export { itemOf, makeEntry, type TestEntry } from './site/entry.js';
export { openSite, type Site, type TestRole } from './site/open-site.js';
export { issuePaths, outcome, walkPages } from './site/read-answer.js';
export { makeVariedEntries, variedFields } from './site/varied-entries.js';
export { testStores, type TestStores } from './stores/stores.js';
export { tableDrift } from './stores/table-drift.js';
