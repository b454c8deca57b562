export { datetimeFromColumn, normaliseDatetime, normaliseSeedDatetime } from './datetime.js';
export { JsonText, stringifyJson } from './json-text.js';
export { parseMediaType, storageKeyForm } from './media-type.js';
export { memberTexts } from './member-texts.js';
export { sitePathProblem } from './site-path.js';
export { isStorableText, toStorableText, truncateText } from './text.js';
export { ulid } from './ulid.js';
export { isAllowedSeedUrl, isAllowedUrl, isHttpUrl, parseUrl } from './url.js';
export { comparableUrl, fileKeyOf, fileKeysIn, UrlMap, type Replaced } from './url-map/index.js';
