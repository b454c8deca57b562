export { comparableUrl, fileKeyOf, fileKeysIn } from './file-keys.js';
export { UrlMap, type Replaced } from './url-map.js';
