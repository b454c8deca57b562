export { isCompatibleType } from './compatible-types.js';
export {
  checkImportCompatibility,
  type ImportCompatibility,
  type ImportSchemaStatus,
  type ImportStatus,
  type RequiredField,
  type RequiredFieldStatus,
} from './import-compatibility.js';
export { importCollectionSlug, importLabel, legalSlug } from './import-slugs.js';
export { baseImportFields, featuredImageField } from './required-fields.js';
