export { testSystem, type TestSystem } from './site/harness.js';
export type { Answer, Client } from './site/client.js';
export { openSite, type Site, type TestRole } from './site/open-site.js';
export { testStores, type TestStores } from './stores/stores.js';
