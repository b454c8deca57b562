export { FieldTypes } from './field-types.js';
export { isAllowed, usualTypes } from './allowed-types.js';
export { plainType } from './plain-type.js';
export { contradicts, detectType, sampleBytes } from './detected-type.js';
