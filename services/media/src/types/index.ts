export { FieldTypes } from './field-types.js';
export { isAllowedType } from './media-type.js';
export { conflictsWithDetected, detectType, sampleBytes } from './detected-type.js';
export { typeOfDownload } from './type-of-download.js';
