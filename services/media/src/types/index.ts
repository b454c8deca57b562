export { FieldTypes } from './field-types.js';
export { isAllowedType, defaultAllowedTypes } from './allowed-types.js';
export { parseMediaType } from './parse-media-type.js';
export { conflictsWithDetected, detectType, sampleBytes } from './detected-type.js';
