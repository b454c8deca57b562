export { isCompatibleType } from './compatible-types.js';
export {
  checkImportCompatibility,
  type ImportCompatibility,
  type ImportSchemaStatus,
  type ImportStatus,
  type RequiredFieldStatus,
} from './import-compatibility.js';
export { importCollectionSlug, importLabel, legalSlug } from './import-slugs.js';
export {
  baseImportFields,
  defaultImportFields,
  featuredImageField,
  isParentField,
  parentField,
  type RequiredField,
} from './required-fields.js';
