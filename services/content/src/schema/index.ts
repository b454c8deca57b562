export { Collection, type Support } from './collection.entity.js';
export { CollectionsController } from './collections.controller.js';
export { type CollectionDefinition } from './definitions/collection-definition.js';
export { collectionNotFound, Definitions } from './definitions/definitions.js';
export { Field } from './field.entity.js';
export { FieldsController } from './fields.controller.js';
export { OrphansController } from './orphans.controller.js';
export { SchemaChanges } from './schema-change.js';
export { contentTableName, slugIndexName, uniqueIndexName } from './tables/content-table.js';
