export { Collection, type Support } from './collection.entity.js';
export { type CollectionDefinition } from './definitions/collection-definition.js';
export { collectionNotFound, Definitions } from './definitions/definitions.js';
export { Field } from './field.entity.js';
export { slugIndexName, uniqueIndexName } from './tables/content-table.js';
export const schemaControllers: (new (...args: never[]) => object)[] = [];
