export {
  blockFieldDefinition,
  blockFingerprint,
  checkBlockFields,
  type BlockField,
} from './block-types/block-fields.js';
export { findBreakingChanges, type BreakingChange } from './block-types/compatible-change.js';
export { checkFieldColumn, maxFieldColumns, postgresColumns } from './definitions/column-rules.js';
export { checkFieldChange, type DataCheck, type FieldChange } from './definitions/check-field-change.js';
export {
  checkFieldDefinition,
  completeFieldDefinition,
  type FieldDefinitionInput,
} from './definitions/check-field-definition.js';
export {
  checkCollectionSlug,
  checkFieldSlug,
  isSlug,
  maxSlugLength,
  slugPattern,
  type DefinitionProblem,
} from './definitions/slugs.js';
export { maxBlocks, type BlockTypes } from './fields/blocks-field.js';
export type {
  BlockOptions,
  InputOptions,
  MediaUse,
  ReferenceUse,
  ValueOrigin,
  WriteMode,
} from './fields/validation-context.js';
export {
  allowsMultiple,
  isRelationField,
  isRequired,
  type FieldDefinition,
  type FieldValidation,
  type SubField,
} from './fields/field-definition.js';
export {
  blockFieldTypes,
  columnClass,
  columnType,
  fieldTypes,
  indexableTypes,
  plainTextTypes,
  type ColumnType,
  type FieldType,
  type SubFieldType,
} from './fields/field-types.js';
export {
  baseImportFields,
  checkImportCompatibility,
  defaultImportFields,
  featuredImageField,
  importCollectionSlug,
  importLabel,
  isCompatibleType,
  isParentField,
  legalSlug,
  parentField,
  type ImportCompatibility,
  type ImportSchemaStatus,
  type ImportStatus,
  type RequiredField,
  type RequiredFieldStatus,
} from './import-compatibility/index.js';
export { maxIndexedBytes } from './fields/indexed-text.js';
export { validationMessages, type IssueReason, type ValueIssue } from './fields/issues.js';
export {
  resolveMediaItem,
  copyStoredMetadata,
  hasStorageKey,
  hydrateImage,
  type MediaItemRef,
} from './fields/media-item-ref.js';
export { localProvider } from './fields/media-fields.js';
export {
  libraryImages,
  canContainLibraryImages,
  canReferenceMedia,
  mediaReferences,
  mediaReferenceTypes,
  type BlockFieldsOf,
  type LibraryImage,
  type MediaReference,
  type MediaReferenceType,
  type ReferencingField,
} from './media-references/media-references.js';
export { jsonFault } from './fields/storable-json.js';
export {
  fillPlaceholders,
  hasRedirectDestination,
  keyOf,
  maxPathLength,
  maxPatternSegments,
  prefixesOf,
  redirectProblems,
  redirectTypes,
  requestedPath,
  segmentsOf,
  sourceKeysOf,
  sourcePath,
  textBeforePlaceholders,
  urlPathProblem,
  type Captured,
  type RedirectProblem,
  type RequestedPath,
  type Segment,
  type SourceKeys,
} from './redirects/index.js';
export { hasSearchText, searchText } from './search-text/search-text.js';
export { generateSlug, givenSlugProblem, nextSlug, slugSource } from './slugs/content-slug.js';
export { compileFields, type CompiledFields } from './validation/compile-fields.js';
export {
  validateValues,
  type ValidatedValues,
  type ValidationOptions,
} from './validation/validate-values.js';
export { fromColumn, isReadAsText, toColumn, type StoredField } from './validation/columns.js';
