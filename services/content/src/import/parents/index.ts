export { pathToRoot } from './ancestors.js';
export { linkEntryParents } from './link-entry-parents.js';
