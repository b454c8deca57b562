export { UrlMap, type Replaced } from './url-map.js';
