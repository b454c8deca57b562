export { BlockType, BlockTypeVersion } from './block-types/block-type.entity.js';
export { createBlockType } from './block-types/block-types.operations.js';
export { blockTypeSchema, createBlockTypeBody } from './block-types/block-types.schemas.js';
export { Collection, type Support } from './collections/collection.entity.js';
export {
  createCollection,
  deleteCollection,
  getCollection,
  listCollections,
  listSchema,
  type CollectionWithFields,
} from './collections/collections.operations.js';
export {
  bumpCollectionVersions,
  selectCollection,
  selectCollections,
  selectRegisteredCollections,
} from './collections/collections.repository.js';
export { deleteRowsOfEntries } from './collections/entry-rows.repository.js';
export { collectionSchema, createCollectionBody } from './collections/collections.schemas.js';
export { ChangeCounter } from './content-changes/change-counter.entity.js';
export {
  contentVersion,
  countChangesOf,
  randomIncrement,
  selectContentVersion,
  selectCountedTables,
  startCounting,
  type SharedCounter,
} from './content-changes/content-changes.repository.js';
export { EntryCount } from './entry-counts/entry-count.entity.js';
export { countEntries, countEntriesOf, storedCount } from './entry-counts/entry-counts.repository.js';
export {
  collectionNotFound,
  fieldDefinition,
  namingFields,
  titleFieldOf,
  type CollectionDefinition,
} from './definitions/collection-definition.js';
export { Definitions } from './definitions/definitions.js';
export { Field } from './fields/field.entity.js';
export {
  deleteFieldData,
  deriveDraftTitles,
  revisionMembers,
  stagedSelectionsKey,
} from './fields/field-data.repository.js';
export { selectAllFields, selectFields } from './fields/fields.repository.js';
export { createFieldBody, fieldSchema } from './fields/fields.schemas.js';
export { createField } from './fields/operations/create-field.js';
export { selectOrphans } from './orphaned-tables/orphaned-tables.repository.js';
export { collectionAt, otherSide, type RelationReference } from './relations/relation-reference.js';
export { ReferenceLink, Relation } from './relations/relation.entity.js';
export {
  deleteLinks,
  getRelationOrThrow,
  selectTitleColumns,
  type RelationSide,
} from './relations/relations.repository.js';
export { relationSchema } from './relations/relations.schemas.js';
export { SchemaChanges } from './schema-change.js';
export { readSiteSchema, type SiteSchema } from './site-schema.js';
export {
  addFieldColumn,
  addSystemColumns,
  contentTableName,
  contentTablePrefix,
  createPublishedIndex,
  createContentTable,
  dropReplacedIndexes,
  ensureListIndexes,
  ensureSlugNumberIndex,
  entryStatuses,
  isEntryStatus,
  latestOfStatuses,
  type EntryStatus,
  greatestNumberedSlug,
  lockTable,
  slugIndexName,
  systemColumns,
  uniqueIndexName,
} from './tables/content-table.repository.js';
export { dropDetachedTable, selectDetachedTables } from './tables/detached-table.repository.js';
