export { testSystem, type TestSystem } from './site/harness.js';
export type { Answer, Client } from './site/client.js';
export type { CollectionInput, FieldInput, TestCollection } from './site/collection.js';
export { openSite, type Site, type TestRole } from './site/open-site.js';
export { issuePaths, outcome, walkPages } from './site/read-answer.js';
export { testStores, type TestStores } from './stores/stores.js';
