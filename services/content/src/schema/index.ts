export { createBlockType } from './block-types/operations/create-block-type.js';
export { createBlockTypeBody } from './block-types/block-types.schemas.js';
export { BlockTypesController } from './block-types/block-types.controller.js';
export { Collection, type Support } from './collections/collection.entity.js';
export { CollectionsController } from './collections/collections.controller.js';
export { fieldDefinition, type CollectionDefinition } from './definitions/collection-definition.js';
export { collectionNotFound } from './definitions/collection-not-found.js';
export { Definitions } from './definitions/definitions.js';
export { Field } from './fields/field.entity.js';
export { FieldsController } from './fields/fields.controller.js';
export { OrphansController } from './orphaned-tables/orphaned-tables.controller.js';
export {
  collectionAt,
  otherSide,
  getRelationOrThrow,
  titleColumns,
  type RelationReference,
  type Relation,
  type RelationSide,
} from './relations/relation.js';
export { RelationsController } from './relations/relations.controller.js';
export { SchemaInternalController } from './schema.internal.controller.js';
export { SchemaChanges } from './schema-change.js';
export { stagedSelectionsKey } from './relations/delete-field-data.js';
export {
  addSystemColumns,
  contentTableName,
  contentTablePrefix,
  slugIndexName,
  uniqueIndexName,
} from './tables/content-table.js';
export { createCollection } from './collections/operations/create-collection.js';
export { listCollections } from './collections/operations/list-collections.js';
export { listSchema, type CollectionWithFields } from './collections/operations/list-schema.js';
export { createField } from './fields/operations/create-field.js';
export { getCollection } from './collections/operations/get-collection.js';
export { createCollectionBody, createFieldBody } from './schema.schemas.js';
